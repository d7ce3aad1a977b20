"""Moods and states that only persons are in, by language: such a word may stand far from its verb and is no thing's.

Each is given in the masculine; the feminine follows from the endings.
"""

from __future__ import annotations

_SPANISH = """
    convencido decidido determinado dispuesto cansado agotado borracho desnudo vestido obsesionado preparado
    enfadado enojado preocupado asustado sentado acostado tumbado listo orgulloso aterrorizado emocionado
    avergonzado nervioso arrepentido deprimido aliviado agradecido desesperado destrozado furioso confundido
    sorprendido molesto frustrado estresado angustiado satisfecho harto aburrido empapado herido dormido despierto
    perdido resignado indignado ilusionado entusiasmado aterrado tenso celoso confiado relajado enfermo
    descalzo callado arrodillado abrazado decepcionado desilusionado conmovido humillado ofendido rendido
    desconsolado aturdido mareado desvelado disgustado inquieto contento enamorado embarazado abatido hundido
    desmayado extenuado exhausto encantado fascinado intrigado impresionado intimidado atemorizado acobardado
    desorientado desanimado desmotivado animado motivado ensimismado distraído concentrado absorto temeroso ansioso
    impaciente eufórico histérico paralizado petrificado disfrazado maquillado peinado despeinado afeitado
    acurrucado agachado encogido traicionado engañado casado divorciado hambriento sediento sudado sudoroso resacoso
    drogado ebrio vencido derrotado victorioso triunfante boquiabierto cabizbajo pensativo apenado afligido dolido
    entristecido excitado encandilado deslumbrado sobresaltado espantado horrorizado escandalizado consternado
    agobiado sobrio muerto desapercibido inadvertido desprevenido"""
_PORTUGUESE = """
    convencido decidido determinado disposto cansado exausto bêbado nu vestido obcecado preparado zangado preocupado
    assustado sentado deitado pronto orgulhoso apavorado emocionado envergonhado nervoso arrependido deprimido
    aliviado desesperado furioso confuso surpreso frustrado estressado angustiado satisfeito farto entediado
    aborrecido irritado encharcado ferido perdido resignado indignado entusiasmado aterrorizado chateado tenso
    ciumento relaxado magoado acordado atrasado doente descalço calado ajoelhado abraçado desapontado desiludido
    dececionado decepcionado comovido humilhado ofendido rendido arrasado destroçado atordoado tonto enjoado
    inquieto contente apaixonado grávido abatido desmaiado esgotado encantado fascinado intrigado impressionado
    intimidado desorientado desanimado desmotivado animado motivado distraído concentrado absorto temeroso ansioso
    eufórico histérico paralisado petrificado disfarçado mascarado maquilhado maquiado penteado despenteado
    fantasiado agachado encolhido traído enganado casado divorciado faminto sedento suado drogado embriagado vencido
    derrotado vitorioso boquiaberto cabisbaixo pensativo aflito entristecido excitado deslumbrado sobressaltado
    espantado horrorizado escandalizado consternado sóbrio agradecido grato stressado estafado aterrado adormecido
    morto despercebido desprevenido"""
_ITALIAN = """
    trasandato allegro convinto deciso determinato disposto stanco esausto ubriaco nudo vestito ossessionato
    preparato arrabbiato preoccupato spaventato seduto sdraiato pronto orgoglioso terrorizzato emozionato
    imbarazzato nervoso pentito depresso sollevato disperato furioso confuso sorpreso frustrato stressato angosciato
    soddisfatto stufo annoiato fradicio ferito perso rassegnato indignato teso geloso rilassato deluso innamorato
    addormentato sconvolto irritato offeso contrariato sveglio malato scalzo inginocchiato abbracciato commosso
    umiliato stordito inquieto contento incinto abbattuto svenuto sfinito spossato incantato affascinato incuriosito
    impressionato intimidito intimorito disorientato scoraggiato demotivato motivato distratto concentrato assorto
    timoroso ansioso euforico isterico paralizzato pietrificato infreddolito travestito truccato pettinato
    spettinato rannicchiato accovacciato tradito ingannato sposato divorziato affamato assetato sudato drogato ebbro
    vinto sconfitto vittorioso pensieroso afflitto addolorato rattristato agitato eccitato abbagliato inorridito
    scandalizzato costernato sopraffatto sobrio grato riconoscente amareggiato mortificato avvilito entusiasta
    impaurito infuriato inferocito infastidito meravigliato stupito allibito turbato morto inosservato impreparato"""
_FRENCH = """
    effondré crevé rasé négligé conscient convaincu décidé déterminé prêt fatigué épuisé nu habillé obsédé préparé
    fâché inquiet effrayé assis allongé fier terrifié ému gêné nerveux ravi déprimé soulagé désespéré surpris
    frustré stressé angoissé satisfait lassé ennuyé trempé blessé perdu résigné indigné enthousiasmé tendu détendu
    déçu amoureux endormi bouleversé irrité offensé confus réveillé énervé vexé choqué furieux jaloux éveillé couché
    accroupi agenouillé blotti recroquevillé trahi trompé marié divorcé affamé assoiffé drogué vaincu victorieux
    pensif songeur peiné attristé agité excité ébloui horrifié scandalisé consterné débordé accablé anéanti abattu
    dévasté désemparé désorienté découragé démotivé motivé distrait concentré craintif anxieux paralysé pétrifié
    déguisé maquillé coiffé décoiffé essoufflé exténué éreinté enchanté fasciné intrigué impressionné intimidé
    apeuré paniqué désolé reconnaissant content mécontent heureux malheureux honteux furax étonné stupéfait
    abasourdi sidéré médusé enceint humilié mortifié troublé contrarié agacé excédé exaspéré dégoûté écœuré saoul
    soûl transi frigorifié ébahi émerveillé rassuré mort inaperçu"""
_ROMANIAN = """
    sărac bogat însărcinat convins hotărât determinat pregătit obosit epuizat beat îmbrăcat obsedat supărat
    îngrijorat speriat așezat întins mândru emoționat stânjenit conștient deprimat ușurat disperat confuz surprins
    frustrat stresat satisfăcut plictisit rănit pierdut resemnat indignat entuziasmat relaxat dezamăgit îndrăgostit
    rușinat mulțumit bolnav flămând îmbrățișat distrat copleșit umilit jignit înfricoșat îngrozit terifiat
    înspăimântat paralizat deghizat machiat pieptănat ghemuit trădat înșelat căsătorit divorțat însetat transpirat
    drogat învins abătut agitat uimit uluit fascinat intrigat impresionat intimidat dezorientat descurajat demotivat
    motivat concentrat isteric euforic anxios îngenuncheat adormit trezit odihnit recunoscător încântat fericit
    nefericit trist vesel furios gelos nervos rușinos curios neliniștit liniștit încrezător neîncrezător întristat
    îndurerat consternat scandalizat șocat iritat enervat ofensat contrariat treaz ud desculț neobservat nepregătit"""

_FEMININES = {
    "es": (("nte", "nte"), ("o", "a")),
    "pt": (("nte", "nte"), ("u", "ua"), ("o", "a"), ("e", "e")),
    "it": (("o", "a"), ("", "")),
    "fr": (("eux", "euse"), ("oux", "ouse"), ("if", "ive"), ("iet", "iète"), ("ier", "ière"), ("", "e")),
    "ro": (("os", "oasă"), ("tor", "toare"), ("u", "ă"), ("", "ă")),
}
_MASCULINES = {"es": _SPANISH, "pt": _PORTUGUESE, "it": _ITALIAN, "fr": _FRENCH, "ro": _ROMANIAN}


def moods(language: str) -> dict[str, str]:
    """Both forms of all of them, by the kinds of kinds.py."""
    masculines = _MASCULINES[language].split()
    feminines = [_feminine(word, language) for word in masculines]
    same = {word for word, feminine in zip(masculines, feminines, strict=True) if word == feminine}
    return {
        "mood_m": " ".join(word for word in masculines if word not in same),
        "mood_f": " ".join(word for word in feminines if word not in same),
    }


def _feminine(word: str, language: str) -> str:
    masculine, feminine = next(pair for pair in _FEMININES[language] if word.endswith(pair[0]))
    return word.removesuffix(masculine) + feminine
