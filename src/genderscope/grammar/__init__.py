"""How an answer is read: gender in translations."""
