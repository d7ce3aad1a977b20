"""Fakes of the translation services' HTTP APIs: they check limits and keys, and translate by writing backwards."""

from tests.server.http_fake import HttpFake

LANGUAGES = ("cs", "en", "es", "sk", "uk")


def translated(text, target):
    return f"{target}: {text[::-1]}"


class DeepLFake(HttpFake):
    """DeepL's API, version 2."""

    allowance = 1_000_000

    def refusal(self, status):
        return {"message": f"no: {self.key}"}

    def counts(self, method, path, body):
        return path == "/v2/translate"

    def reply(self, method, path, body):
        if path == "/v2/languages":
            names = ["EN-US" if code == "en" else code.upper() for code in LANGUAGES]
            return 200, [{"language": name, "name": name, "supports_formality": False} for name in names]
        if path == "/v2/usage":
            return 200, {"character_count": 0, "character_limit": self.allowance}
        texts = body["text"]
        if len(texts) > 50 or sum(len(text.encode()) for text in texts) > 128 * 1024:
            return 413, {"message": "Request too large"}
        found = [translated(text, body["target_lang"].lower()) for text in texts]
        return 200, {
            "translations": [
                {"text": text, "detected_source_language": "EN", "billed_characters": len(text)} for text in found
            ]
        }


class GoogleFake(HttpFake):
    """Google Cloud Translation Basic, version 2."""

    def refusal(self, status):
        return {"error": {"code": status, "message": f"no: {self.key}"}}

    def counts(self, method, path, body):
        return method == "POST"

    def reply(self, method, path, body):
        if path.startswith("/language/translate/v2/languages"):
            return 200, {"data": {"languages": [{"language": code} for code in LANGUAGES]}}
        texts = body["q"]
        if len(texts) > 128 or sum(map(len, texts)) > 30_000 or body["format"] != "text":
            return 400, {"error": {"code": 400, "message": "Text too long"}}
        found = [{"translatedText": translated(text, body["target"])} for text in texts]
        return 200, {"data": {"translations": found}}


class AmazonFake(HttpFake):
    """Amazon Translate, the JSON 1.1 protocol."""

    NAMES = ("TooManyRequestsException", "InternalServerException", "UnrecognizedClientException")

    def refusal(self, status):
        name = {429: self.NAMES[0], 401: self.NAMES[2], 403: self.NAMES[2]}.get(status, self.NAMES[1])
        return {"__type": name if status != 400 else "InvalidRequestException", "message": f"no: {self.key}"}

    def counts(self, method, path, body):
        return "Text" in body

    def reply(self, method, path, body):
        if "Text" not in body:
            return 200, {"Languages": [{"LanguageCode": code, "LanguageName": code} for code in LANGUAGES]}
        if len(body["Text"].encode()) > 10_000:
            return 400, {"__type": "TextSizeLimitExceededException", "message": "too long"}
        return 200, {
            "TranslatedText": translated(body["Text"], body["TargetLanguageCode"]),
            "SourceLanguageCode": body["SourceLanguageCode"],
            "TargetLanguageCode": body["TargetLanguageCode"],
        }


FAKES = {"deepl": DeepLFake, "google": GoogleFake, "amazon": AmazonFake}
