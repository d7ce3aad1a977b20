"""A reply while it is being generated."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from genderscope.core.questions import Reply


@dataclass
class PartialReply:
    """The tokens of a reply so far."""

    question: Reply
    prompt: tuple[int, ...]
    ends: frozenset[int]
    most: int
    tokens: list[int] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether the reply is complete or has reached the maximum length."""
        return self.complete or len(self.tokens) >= self.most

    @property
    def complete(self) -> bool:
        """Whether the reply ends with an end-of-text token."""
        return bool(self.tokens) and self.tokens[-1] in self.ends

    @property
    def said(self) -> list[int]:
        """The reply without its end-of-text token."""
        return self.tokens[:-1] if self.complete else self.tokens

    def take(self, tokens: Sequence[int]) -> None:
        """Append tokens up to the end of the reply; those generated after it are dropped."""
        for token in tokens:
            if self.ended:
                return
            self.tokens.append(token)
