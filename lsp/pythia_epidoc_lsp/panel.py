"""Answers to the requests of the Lacunae view and the Restoration panel (`pythia/…`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.uris import from_fs_path

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.evidence import Evidence
from pythia_epidoc_lsp.lacunae import around, bracketed, extent_in_words, shown
from pythia_epidoc_lsp.preview import leiden_line
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.wording import place_of

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

_CONTEXT = 12


def lacunae_answer(analysis: Analysis) -> dict[str, Any]:
    rows = [
        lacuna_row(analysis, lacuna, number)
        for number, lacuna in enumerate(shown(analysis.document) if analysis.is_tei else (), start=1)
    ]
    return {"tei": analysis.is_tei, "lacunae": rows}


def lacuna_row(analysis: Analysis, lacuna: Lacuna, number: int) -> dict[str, Any]:
    before, after = around(lacuna, _CONTEXT)
    return {
        "number": number,
        "range": analysis.positions.range(lacuna.start, lacuna.end),
        "state": analysis.states.of(lacuna).value,
        "extent": extent_in_words(lacuna),
        "line": lacuna.line or None,
        "before": before,
        "text": bracketed(lacuna),
        "after": after,
    }


def restoration_answer(analysis: Analysis, answer: Answer, evidence: Evidence) -> dict[str, Any]:
    number = next(n for n, lacuna in enumerate(shown(analysis.document), start=1) if lacuna is answer.lacuna)
    verdict = answer.verdict
    before, after = leiden_line(answer.lacuna)
    return {
        "uri": analysis.uri,
        "version": analysis.version,
        "lacuna": lacuna_row(analysis, answer.lacuna, number),
        "leiden": {"before": before, "after": after},
        "model": answer.model,
        "hypotheses": [
            {
                "rank": row.rank,
                "text": row.text,
                "letters": row.letters,
                "probability": row.probability,
                "attestations": row.attestations,
            }
            for row in answer.rows
        ],
        "conjecture": verdict
        and {"text": verdict.text, "rank": verdict.rank, "probability": verdict.probability},
        **evidence_answer(evidence),
    }


def evidence_answer(evidence: Evidence) -> dict[str, Any]:
    return {
        "evidence": {
            "signs": evidence.signs,
            "lacunaStart": evidence.first,
            "lacunaEnd": evidence.stop,
            "weights": evidence.weights,
        },
        "parallels": None
        if evidence.parallels is None
        else [_parallel(found) for found in evidence.parallels],
    }


def _parallel(found: Parallel) -> dict[str, Any]:
    snippet = found.snippet
    return {
        "source": place_of(found),
        "uri": from_fs_path(found.place.path),
        "line": None if found.source_line is None else found.source_line - 1,
        "conjecture": found.supplied > 0,
        "before": snippet.before,
        "match": snippet.match,
        "after": snippet.after,
    }
