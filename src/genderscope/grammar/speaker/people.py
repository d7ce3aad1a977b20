"""Nouns for men and women beyond each language's own list: friends, neighbours, trades.

Romanian has no men here: a woman may call herself "profesor", so the masculine shows nothing.
"""

MEN = {
    "es": """
    amigo vecino novio enfermero maestro abogado ingeniero profesor escritor cocinero camarero bailarín campeón
    ganador jugador trabajador vendedor alumno peluquero cajero obrero panadero jardinero conductor entrenador
    pintor cazador cuidador luchador perdedor marinero compañero hermanito machote caballero empleado secretario
    administrativo
    """,
    "pt": """
    amigo vizinho enfermeiro professor advogado engenheiro escritor cozinheiro bailarino campeão vencedor jogador
    trabalhador vendedor aluno cabeleireiro operário padeiro jardineiro motorneiro treinador pintor caçador cuidador
    lutador companheiro funcionário empregado secretário durão machão cavalheiro garçom
    """,
    "it": """
    amico infermiere maestro cuoco ballerino campione vincitore giocatore lavoratore venditore alunno parrucchiere
    cassiere operaio panettiere giardiniere allenatore pittore cacciatore compagno cameriere commesso impiegato
    monello bambinone mammone ragazzone segretario
    """,
    "fr": """
    ami étudiant vendeur infirmier serveur acteur chanteur danseur ouvrier employé coiffeur caissier boulanger voisin
    copain gamin joueur champion gagnant nageur coureur meneur travailleur instituteur jardinier cuisinier compagnon
    bonhomme gaillard bosseur menteur rêveur
    """,
    "ro": "",
}
WOMEN = {
    "es": """
    amiga vecina novia enfermera maestra abogada ingeniera profesora escritora cocinera camarera bailarina campeona
    ganadora jugadora trabajadora vendedora alumna peluquera cajera obrera panadera jardinera conductora entrenadora
    pintora cazadora cuidadora luchadora perdedora compañera hermanita azafata niñera costurera modista médica
    cirujana arquitecta bombera empleada secretaria administrativa mamá mami
    """,
    "pt": """
    amiga vizinha enfermeira professora advogada engenheira escritora cozinheira bailarina campeã vencedora jogadora
    trabalhadora vendedora aluna cabeleireira operária padeira jardineira treinadora pintora caçadora cuidadora
    lutadora companheira funcionária empregada secretária médica cirurgiã arquiteta bombeira ama babá garçonete
    rapariga cachopa hospedeira costureira
    """,
    "it": """
    amica infermiera maestra cuoca ballerina campionessa vincitrice giocatrice lavoratrice venditrice alunna
    parrucchiera cassiera operaia giardiniera allenatrice pittrice cacciatrice compagna cameriera commessa impiegata
    monella mammina ragazzona segretaria modella sarta hostess avvocatessa avvocata sindaca ministra architetta
    """,
    "fr": """
    amie étudiante vendeuse infirmière serveuse actrice chanteuse danseuse ouvrière employée coiffeuse caissière
    boulangère voisine copine gamine joueuse championne gagnante nageuse coureuse meneuse travailleuse institutrice
    jardinière cuisinière compagne avocate directrice bosseuse menteuse rêveuse nourrice hôtesse
    """,
    "ro": """
    prietenă prietena vecină vecina colegă colega profesoară profesoara învățătoare învățătoarea asistentă
    bucătăreasă vânzătoare campioană campioana scriitoare cântăreață dansatoare actriță ospătăriță chelneriță
    croitoreasă coafeză studentă elevă avocată inginera ingineră directoare câștigătoare jucătoare muncitoare
    casieriță antrenoare pictoriță luptătoare sportivă iubită logodnică nevastă nevasta mămică mămica bonă secretară
    confidentă confidenta lideră lidera stăpână stăpâna tovarășă parteneră educatoare infirmieră ministră primăriță
    polițistă
    """,
}
