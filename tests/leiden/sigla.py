# ruff: noqa: E501 (the XML of a row stays in one piece)
"""Every siglum, what becomes of it, and how it reads back: the table behind tests and `docs/phi.md`.

    python tests/leiden/sigla.py    # write the table into docs/phi.md again

The samples were written for this table; none is taken from a published edition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "phi.md"
BEGIN, END = "<!-- sigla: begin -->", "<!-- sigla: end -->"


@dataclass(frozen=True)
class Sample:
    """One row of the table."""

    meaning: str
    text: str
    epidoc: str
    back: str = ""
    """How PHI style prints it, if not as it was."""
    findings: tuple[str, ...] = ()

    @property
    def reads_back(self) -> str:
        return self.back or self.text


TABLE: dict[str, list[Sample]] = {
    "Restored and lost": [
        Sample("restored letters", "β[ουλῆς]", 'β<supplied reason="lost">ουλῆς</supplied>'),
        Sample("a whole word restored", "[βουλή]", '<supplied reason="lost">βουλή</supplied>'),
        Sample("restored words", "[ὁ δῆμος] ἐτίμησεν", '<supplied reason="lost">ὁ δῆμος</supplied> ἐτίμησεν'),
        Sample(
            "restored over a line end",
            "βου[λῆς μη]-\n[τρ]ός",
            'βου<supplied reason="lost">λῆς μη</supplied>\n<lb n="2" break="no"/><supplied reason="lost">τρ</supplied>ός',
        ),
        Sample(
            "restored without closing on the line",
            "[ὁ δῆ-\nμος] καί",
            '<supplied reason="lost">ὁ δῆ</supplied>\n<lb n="2" break="no"/><supplied reason="lost">μος</supplied> καί',
            back="[ὁ δῆ]-\n[μος] καί",
        ),
        Sample("restoration in doubt", "[βουλῆς(?)]", '<supplied reason="lost" cert="low">βουλῆς</supplied>'),
        Sample(
            "only the last word in doubt",
            "[τῆς βουλῆς(?)]",
            '<supplied reason="lost">τῆς</supplied> <supplied reason="lost" cert="low">βουλῆς</supplied>',
        ),
        Sample(
            "restoration in doubt, Panciera",
            "Bon[ifatius?]",
            '<foreign xml:lang="la">Bon<supplied reason="lost" cert="low">ifatius</supplied></foreign>',
            back="Bon[ifatius(?)]",
            findings=("latin",),
        ),
        Sample("unknown stretch", "[— — —]", '<gap reason="lost" extent="unknown" unit="character"/>'),
        Sample(
            "unknown stretch, any number of dashes",
            "[— — — — — — —]ος",
            '<gap reason="lost" extent="unknown" unit="character"/>ος',
            back="[— — —]ος",
        ),
        Sample(
            "unknown stretch, hyphens",
            "[---]ος",
            '<gap reason="lost" extent="unknown" unit="character"/>ος',
            back="[— — —]ος",
        ),
        Sample(
            "unknown stretch, spaced hyphens",
            "[- - -]ος",
            '<gap reason="lost" extent="unknown" unit="character"/>ος',
            back="[— — —]ος",
        ),
        Sample(
            "unknown stretch without brackets",
            "καὶ — — —",
            'καὶ <gap reason="lost" extent="unknown" unit="character"/>',
            back="καὶ [— — —]",
        ),
        Sample(
            "a stretch perhaps lost",
            "[— ? —]",
            '<gap reason="lost" extent="unknown" unit="character"><certainty locus="name" match=".."/></gap>',
        ),
        Sample(
            "a stretch perhaps lost, more dashes",
            "[— — ? — —]",
            '<gap reason="lost" extent="unknown" unit="character"><certainty locus="name" match=".."/></gap>',
            back="[— ? —]",
        ),
        Sample(
            "restored after an unknown stretch",
            "[— — — τοῦ] δήμου",
            '<gap reason="lost" extent="unknown" unit="character"/> <supplied reason="lost">τοῦ</supplied> δήμου',
        ),
        Sample(
            "restored before an unknown stretch",
            "[Διονυσο— — —]",
            '<supplied reason="lost">Διονυσο</supplied><gap reason="lost" extent="unknown" unit="character"/>',
        ),
        Sample(
            "a stretch of about 12 letters",
            "[— — c. 12 — —]",
            '<gap reason="lost" quantity="12" unit="character" precision="low"/>',
            back="[․․c.12․․]",
        ),
        Sample(
            "text breaks off",
            "τοῦ δή[",
            'τοῦ δή<gap reason="lost" extent="unknown" unit="character"/>',
            back="τοῦ δή[— — —]",
            findings=("unclosed",),
        ),
        Sample(
            "text breaks off above another line",
            "τοῦ δή[\nτόν",
            'τοῦ δή<gap reason="lost" extent="unknown" unit="character"/>\n<lb n="2"/>τόν',
            back="τοῦ δή[— — —]\nτόν",
            findings=("unclosed",),
        ),
        Sample(
            "unknown stretch, one hyphen",
            "Αὐρ[-] καί",
            'Αὐρ<gap reason="lost" extent="unknown" unit="character"/> καί',
            back="Αὐρ[— — —] καί",
        ),
        Sample(
            "text begins",
            "]μου",
            '<gap reason="lost" extent="unknown" unit="character"/>μου',
            back="[— — —]μου",
            findings=("unopened",),
        ),
        Sample(
            "nothing between the brackets",
            "[ ]",
            '<gap reason="lost" extent="unknown" unit="character"/>',
            back="[— — —]",
            findings=("empty-bracket",),
        ),
        Sample(
            "text breaks off, and begins again on the next line",
            "τοῦ[\n]μου",
            'τοῦ<gap reason="lost" extent="unknown" unit="character"/>\n<lb n="2"/><gap reason="lost" extent="unknown" unit="character"/>μου',
            back="τοῦ[— — —]\n[— — —]μου",
            findings=("empty-bracket",),
        ),
        Sample(
            "a word breaks off, and goes on in the lacuna of the next line",
            "τοῦ[-\n]μου",
            'τοῦ<gap reason="lost" extent="unknown" unit="character"/>\n<lb n="2" break="no"/><gap reason="lost" extent="unknown" unit="character"/>μου',
            back="τοῦ[— — —]-\n[— — —]μου",
            findings=("empty-bracket",),
        ),
        Sample("a line lost, papyri", "[1 line missing]", '<gap reason="lost" quantity="1" unit="line"/>'),
        Sample(
            "lines lost, papyri",
            "[1-2 lines missing]",
            '<gap reason="lost" atLeast="1" atMost="2" unit="line"/>',
        ),
    ],
    "Counted lacunae": [
        Sample("one lost letter", "δῆ[․]ος", 'δῆ<gap reason="lost" quantity="1" unit="character"/>ος'),
        Sample("lost letters", "δ[․․․]ς", 'δ<gap reason="lost" quantity="3" unit="character"/>ς'),
        Sample("five lost letters", "[․․5․․]", '<gap reason="lost" quantity="5" unit="character"/>'),
        Sample(
            "lost letters, the dots are filler",
            "[․․․․․․38․․․․․․]",
            '<gap reason="lost" quantity="38" unit="character"/>',
            back="[․․38․․]",
        ),
        Sample(
            "about seven lost letters",
            "[․․c.7․․]",
            '<gap reason="lost" quantity="7" unit="character" precision="low"/>',
        ),
        Sample(
            "eight or nine lost letters",
            "[․․8-9․․․]",
            '<gap reason="lost" atLeast="8" atMost="9" unit="character"/>',
            back="[․․8-9․․]",
        ),
        Sample(
            "a range the wrong way round",
            "[․․9-8․․]",
            '<gap reason="lost" atLeast="8" atMost="9" unit="character"/>',
            back="[․․8-9․․]",
            findings=("range",),
        ),
        Sample(
            "lost letters, full stops",
            "[...]",
            '<gap reason="lost" quantity="3" unit="character"/>',
            back="[․․․]",
        ),
        Sample(
            "lost letters, spaced full stops",
            "Διον[. . . .]",
            'Διον<gap reason="lost" quantity="4" unit="character"/>',
            back="Διον[․․․․]",
        ),
        Sample(
            "lost letters, spaced full stops and number",
            "[. . . . 9 . . . .]",
            '<gap reason="lost" quantity="9" unit="character"/>',
            back="[․․9․․]",
        ),
        Sample(
            "two lost letters, a word's end, and one lost letter",
            "[․․ ․]",
            '<gap reason="lost" quantity="2" unit="character"/> <gap reason="lost" quantity="1" unit="character"/>',
        ),
        Sample(
            "lost letters, full stops and number",
            "[. 6.]",
            '<gap reason="lost" quantity="6" unit="character"/>',
            back="[․․6․․]",
        ),
        Sample(
            "lost letters, raised dots",
            "[·· 5-7··]",
            '<gap reason="lost" atLeast="5" atMost="7" unit="character"/>',
            back="[․․5-7․․]",
        ),
        Sample(
            "lost letters, unknown, raised dots",
            "[·· ? ··]",
            '<gap reason="lost" extent="unknown" unit="character"/>',
            back="[— — —]",
        ),
        Sample(
            "lost letters, unknown, number left out",
            "[ca.?]",
            '<gap reason="lost" extent="unknown" unit="character"/>',
            back="[— — —]",
        ),
        Sample(
            "lost letters, one full stop and number",
            "ὁ[.3]",
            'ὁ<gap reason="lost" quantity="3" unit="character"/>',
            back="ὁ[․․․]",
        ),
        Sample(
            "about four letters, number alone",
            "[c. 4]",
            '<gap reason="lost" quantity="4" unit="character" precision="low"/>',
            back="[․․c.4․․]",
        ),
        Sample(
            "about five letters, in words",
            "[ca. 5 letters]",
            '<gap reason="lost" quantity="5" unit="character" precision="low"/>',
            back="[․․c.5․․]",
        ),
        Sample(
            "lost letters, number alone",
            "[8]",
            '<gap reason="lost" quantity="8" unit="character"/>',
            back="[․․8․․]",
        ),
        Sample(
            "one illegible letter", "δῆμ․ς", 'δῆμ<gap reason="illegible" quantity="1" unit="character"/>ς'
        ),
        Sample("illegible letters", "․․․ς", '<gap reason="illegible" quantity="3" unit="character"/>ς'),
        Sample(
            "five illegible letters", "․․5․․ς", '<gap reason="illegible" quantity="5" unit="character"/>ς'
        ),
        Sample(
            "about four illegible letters",
            "․c.4․ος",
            '<gap reason="illegible" quantity="4" unit="character" precision="low"/>ος',
            back="․․c.4․․ος",
        ),
        Sample(
            "illegible letters, full stops",
            "δῆμ..ς",
            'δῆμ<gap reason="illegible" quantity="2" unit="character"/>ς',
            back="δῆμ․․ς",
        ),
        Sample(
            "illegible letters, spaced full stops and number",
            "καὶ . . . 7 . . . τόν",
            'καὶ <gap reason="illegible" quantity="7" unit="character"/> τόν',
            back="καὶ ․․7․․ τόν",
        ),
        Sample(
            "about five illegible letters, number alone",
            "καὶ ca. 5 τόν",
            'καὶ <gap reason="illegible" quantity="5" unit="character" precision="low"/> τόν',
            back="καὶ ․․c.5․․ τόν",
        ),
        Sample(
            "illegible letters in doubt",
            "․․․(?)",
            '<gap reason="illegible" quantity="3" unit="character"><certainty locus="name" match=".."/></gap>',
        ),
        Sample(
            "illegible letters, papyri",
            "δ\u00a0\u00a0\u0323\u00a0\u00a0\u0323ς",
            'δ<gap reason="illegible" quantity="2" unit="character"/>ς',
            back="δ․․ς",
        ),
        Sample("traces", "+ + +", '<gap reason="illegible" quantity="3" unit="character"/>', back="․․․"),
        Sample(
            "one trace", "δῆμ+ς", 'δῆμ<gap reason="illegible" quantity="1" unit="character"/>ς', back="δῆμ․ς"
        ),
        Sample(
            "a letter trace of Beta code",
            "δῆμ#⁷ς",
            'δῆμ<gap reason="illegible" quantity="1" unit="character"/>ς',
            back="δῆμ․ς",
        ),
        Sample(
            "illegible and lost letters",
            "․․[․․]ς",
            '<gap reason="illegible" quantity="2" unit="character"/><gap reason="lost" quantity="2" unit="character"/>ς',
        ),
        Sample(
            "traces of a line",
            "vestigia",
            '<gap reason="illegible" extent="unknown" unit="line"><desc>vestigia</desc></gap>',
        ),
        Sample(
            "traces of lines, papyri",
            "Traces 3 lines",
            '<gap reason="illegible" quantity="3" unit="line"><desc>Traces 3 lines</desc></gap>',
        ),
        Sample(
            "traces of lines",
            "vestigia 3 versuum",
            '<gap reason="illegible" quantity="3" unit="line"><desc>vestigia 3 versuum</desc></gap>',
        ),
        Sample(
            "traces of letters",
            "vest. 3 litt.",
            '<gap reason="illegible" quantity="3" unit="character"><desc>vest. 3 litt.</desc></gap>',
            back="․․․",
        ),
    ],
    "Letters": [
        Sample("unclear letter", "δῆμ̣ος", "δῆ<unclear>μ</unclear>ος"),
        Sample("unclear letters", "δ̣ῆ̣μος", "<unclear>δῆ</unclear>μος"),
        Sample("unclear letter with iota subscript", "Βασίᾳ̣", "Βασί<unclear>ᾳ</unclear>"),
        Sample(
            "unclear letter inside a restoration",
            "[δῆ]μ̣[ος]",
            '<supplied reason="lost">δῆ</supplied><unclear>μ</unclear><supplied reason="lost">ος</supplied>',
        ),
        Sample("accents as oxia", "βουλή", "βουλή"),
        Sample("heta", "ℎιερός", "hιερός"),
        Sample(
            "heta among lacunae",
            "[— — —]ℎ[— — —]",
            '<gap reason="lost" extent="unknown" unit="character"/>h<gap reason="lost" extent="unknown" unit="character"/>',
        ),
        Sample("restored heta", "[ℎ]ιερός", '<supplied reason="lost">h</supplied>ιερός'),
        Sample("unclear heta", "ℎ̣ιερός", "<unclear>h</unclear>ιερός"),
        Sample("long vowel before Euclid's alphabet", "τε͂ι βολε͂ι", "τε͂ι βολε͂ι"),
        Sample("lunate sigma", "Διονύϲιος", "Διονύϲιος"),
        Sample("uninterpreted capitals", "καὶ ΩΝΕΥ", "καὶ <orig>ΩΝΕΥ</orig>"),
        Sample(
            "uninterpreted capitals among lacunae",
            "[— — —]ΩΝΕΥ[— — —]",
            '<gap reason="lost" extent="unknown" unit="character"/><orig>ΩΝΕΥ</orig><gap reason="lost" extent="unknown" unit="character"/>',
        ),
        Sample(
            "one uninterpreted capital",
            "[— — —]Ν",
            '<gap reason="lost" extent="unknown" unit="character"/><orig>Ν</orig>',
        ),
        Sample(
            "one capital that may begin a name",
            "Ν[— — —]",
            'Ν<gap reason="lost" extent="unknown" unit="character"/>',
        ),
        Sample("Latin look-alikes", "καὶ MI", "καὶ <orig>MI</orig>", findings=("look-alike",)),
        Sample("a Latin letter inside a Greek word", "χίωνοs", "χίωνοs", findings=("look-alike",)),
        Sample(
            "Latin words",
            "Iulia Augusta",
            '<foreign xml:lang="la">Iulia Augusta</foreign>',
            findings=("latin",),
        ),
        Sample(
            "underlined letters (seen by an earlier editor)",
            "δ̲ῆ̲μος",
            '<supplied reason="undefined" evidence="previouseditor">δῆ</supplied>μος',
        ),
        Sample("a line above letters", "κ̅ς̅", '<hi rend="supraline">κς</hi>'),
        Sample("ligature", "το͡ῦ", 'τ<hi rend="ligature">οῦ</hi>'),
    ],
    "Abbreviations": [
        Sample("abbreviation", "Αὐρ(ήλιος)", "<expan><abbr>Αὐρ</abbr><ex>ήλιος</ex></expan>"),
        Sample(
            "abbreviation that goes on",
            "Σεβ(ασ)τ(οῦ)",
            "<expan><abbr>Σεβ</abbr><ex>ασ</ex><abbr>τ</abbr><ex>οῦ</ex></expan>",
        ),
        Sample(
            "abbreviated initials",
            "Μ(ᾶρκος)Αὐρ(ήλιος)",
            "<expan><abbr>Μ</abbr><ex>ᾶρκος</ex></expan><expan><abbr>Αὐρ</abbr><ex>ήλιος</ex></expan>",
        ),
        Sample(
            "abbreviation in a restoration",
            "[Αὐρ(ήλιος)]",
            '<supplied reason="lost"><expan><abbr>Αὐρ</abbr><ex>ήλιος</ex></expan></supplied>',
        ),
        Sample(
            "restored and abbreviated",
            "[Α]ὐρ(ήλιος)",
            '<expan><abbr><supplied reason="lost">Α</supplied>ὐρ</abbr><ex>ήλιος</ex></expan>',
        ),
        Sample(
            "abbreviation half in a restoration",
            "ἀλ[λ(ήλων)]",
            '<expan><abbr>ἀλ<supplied reason="lost">λ</supplied></abbr><supplied reason="lost"><ex>ήλων</ex></supplied></expan>',
        ),
        Sample(
            "abbreviation over a line end",
            "Αὐ-\nρ(ήλιος)",
            '<expan><abbr>Αὐ\n<lb n="2" break="no"/>ρ</abbr><ex>ήλιος</ex></expan>',
        ),
        Sample("a word the symbol stands for", "(ἔτους) β", "<expan><ex>ἔτους</ex></expan> β"),
        Sample("words the symbol stands for", "(πυροῦ ἀρτάβας)", "<expan><ex>πυροῦ ἀρτάβας</ex></expan>"),
        Sample(
            "expansion in doubt", "Αὐρ(ήλιος(?))", '<expan><abbr>Αὐρ</abbr><ex cert="low">ήλιος</ex></expan>'
        ),
        Sample("unresolved abbreviation", "στρατηγ( )", "<abbr>στρατηγ</abbr>"),
        Sample(
            "unresolved abbreviation, dashes", "στρατηγ(— — —)", "<abbr>στρατηγ</abbr>", back="στρατηγ( )"
        ),
    ],
    "Editor's interventions": [
        Sample("omitted letters", "βο<υ>λή", 'βο<supplied reason="omitted">υ</supplied>λή'),
        Sample(
            "omitted letters, single quotes",
            "βο‹υ›λή",
            'βο<supplied reason="omitted">υ</supplied>λή',
            back="βο<υ>λή",
        ),
        Sample(
            "omitted letters, mixed", "βο‹υ>λή", 'βο<supplied reason="omitted">υ</supplied>λή', back="βο<υ>λή"
        ),
        Sample(
            "omitted letters, mathematical brackets",
            "βο⟨υ⟩λή",
            'βο<supplied reason="omitted">υ</supplied>λή',
            back="βο<υ>λή",
        ),
        Sample("omitted words", "<τῆς πόλε>ως", '<supplied reason="omitted">τῆς πόλε</supplied>ως'),
        Sample(
            "omitted letters, nobody knows which",
            "<․․>",
            '<gap reason="omitted" quantity="2" unit="character"/>',
        ),
        Sample("corrected letter", "βο<υ=Ο>λή", "βο<choice><corr>υ</corr><sic>Ο</sic></choice>λή"),
        Sample("corrected letters, half brackets", "βο⸢υ⸣λή", "βο<corr>υ</corr>λή"),
        Sample("superfluous letters", "{τοῦ} δήμου", "<surplus>τοῦ</surplus> δήμου"),
        Sample(
            "superfluous letters over a line end",
            "{τοῦ δή}-\n{μου}",
            '<surplus>τοῦ δή</surplus>\n<lb n="2" break="no"/><surplus>μου</surplus>',
        ),
        Sample(
            "regularised word",
            "Χρύσιπο[ς] {²⁶Χρύσιππος}²⁶ καί",
            '<choice><orig>Χρύσιπο<supplied reason="lost">ς</supplied></orig><reg>Χρύσιππος</reg></choice> καί',
        ),
        Sample(
            "regularised words",
            "Μ(ᾶρκος) Αὐρῆλις {²⁶Μ(ᾶρκος) Αὐρήλιος}²⁶",
            "<choice><orig><expan><abbr>Μ</abbr><ex>ᾶρκος</ex></expan> Αὐρῆλις</orig><reg><expan><abbr>Μ</abbr><ex>ᾶρκος</ex></expan> Αὐρήλιος</reg></choice>",
        ),
        Sample(
            "regularised word, the note after a comma",
            "Χρύσιπος, {²⁶Χρύσιππος}²⁶ καί",
            "<choice><orig>Χρύσιπος</orig><reg>Χρύσιππος</reg></choice>, καί",
            back="Χρύσιπος {²⁶Χρύσιππος}²⁶, καί",
        ),
        Sample(
            "another reading",
            "[ἱε]ρέα {²⁷[ἀρχιε]ρέα}²⁷ καί",
            '<app type="alternative"><lem><supplied reason="lost">ἱε</supplied>ρέα</lem><rdg><supplied reason="lost">ἀρχιε</supplied>ρέα</rdg></app> καί',
        ),
        Sample(
            "other readings",
            "Ἡρω[δίων] {²⁷Ἡρώ[δης]; Ἡρω[διανός]}²⁷",
            '<app type="alternative"><lem>Ἡρω<supplied reason="lost">δίων</supplied></lem><rdg>Ἡρώ<supplied reason="lost">δης</supplied></rdg><rdg>Ἡρω<supplied reason="lost">διανός</supplied></rdg></app>',
        ),
        Sample(
            "another reading inside a restoration",
            "Ἡρω[δίων {²⁷Ἡρώ[δης]}²⁷ — — —]",
            '<app type="alternative"><lem>Ἡρω<supplied reason="lost">δίων</supplied></lem><rdg>Ἡρώ<supplied reason="lost">δης</supplied></rdg></app> <gap reason="lost" extent="unknown" unit="character"/>',
            back="Ἡρω[δίων] {²⁷Ἡρώ[δης]}²⁷ [— — —]",
        ),
        Sample("comment", "καὶ {²altera manu}² τόν", 'καὶ <note type="comment">altera manu</note> τόν'),
        Sample(
            "comment on a row of its own",
            "καί\n{²versus 3 mutili}²\nτόν",
            'καί<note type="comment">versus 3 mutili</note>\n<lb n="2"/>τόν',
            back="καί {²versus 3 mutili}²\nτόν",
        ),
        Sample(
            "an unknown code of PHI",
            "{⁴³δῆμος}⁴³",
            '<seg type="phi" n="43">δῆμος</seg>',
            findings=("unknown-code",),
        ),
        Sample(
            "remark on a row of its own, which is no line of the stone",
            "καί\nvv. 2-3 mutili\nτόν",
            'καί<note>vv. 2-3 mutili</note>\n<lb n="2"/>τόν',
            back="καί (vv. 2-3 mutili)\nτόν",
        ),
        Sample(
            "remark",
            "[Ἀντων]ῖνος (vel sim.)",
            '<supplied reason="lost">Ἀντων</supplied>ῖνος <note>vel sim.</note>',
        ),
        Sample(
            "exempli gratia", "[Ἀντων (e.g.)]", '<supplied reason="lost">Ἀντων <note>e.g.</note></supplied>'
        ),
        Sample("sic", "δῆμος (!)", 'δῆμος <note type="sic">!</note>'),
        Sample("a word in doubt", "ἱερέα(?) καί", '<seg cert="low">ἱερέα</seg> καί'),
        Sample(
            "a word in doubt, question mark alone",
            "[χρημάτων? — — —]",
            '<supplied reason="lost" cert="low">χρημάτων</supplied> <gap reason="lost" extent="unknown" unit="character"/>',
            back="[χρημάτων(?) — — —]",
        ),
        Sample("words that make no sense", "†δημος τε†", "<sic>δημος τε</sic>"),
    ],
    "Erased and added": [
        Sample("erased", "⟦Γέτας⟧", '<del rend="erasure">Γέτας</del>', back="〚Γέτας〛"),
        Sample("erased, PHI", "〚Γέτας〛", '<del rend="erasure">Γέτας</del>'),
        Sample("erased, double brackets", "[[Γέτας]]", '<del rend="erasure">Γέτας</del>', back="〚Γέτας〛"),
        Sample(
            "erased and restored",
            "〚[Γέτας]〛",
            '<del rend="erasure"><supplied reason="lost">Γέτας</supplied></del>',
        ),
        Sample(
            "erased and lost",
            "〚— — —〛",
            '<del rend="erasure"><gap reason="lost" extent="unknown" unit="character"/></del>',
            back="〚[— — —]〛",
        ),
        Sample(
            "erased over a line end",
            "〚Γέ〛-\n〚τας〛",
            '<del rend="erasure">Γέ</del>\n<lb n="2" break="no"/><del rend="erasure">τας</del>',
        ),
        Sample(
            "erasure inside a restoration",
            "[τοῦ 〚Γέτα〛]",
            '<supplied reason="lost">τοῦ <del rend="erasure">Γέτα</del></supplied>',
        ),
        Sample("added above the line", "φύ‵σει′", 'φύ<add place="above">σει</add>'),
        Sample(
            "added above the line, grave and acute",
            "φύ`σει´",
            'φύ<add place="above">σει</add>',
            back="φύ‵σει′",
        ),
        Sample("added above the line, papyri", "φύ\\σει/", 'φύ<add place="above">σει</add>', back="φύ‵σει′"),
        Sample("cut over an erasure", "«Γέτας»", '<add place="overstrike">Γέτας</add>'),
        Sample(
            "known from another copy",
            "⸤δῆμος⸥ καί",
            '<supplied reason="undefined" evidence="parallel">δῆμος</supplied> καί',
        ),
    ],
    "Space": [
        Sample(
            "vacat",
            "καὶ vacat τόν",
            'καὶ <space extent="unknown" unit="character"/> τόν',
            back="καὶ vac. τόν",
        ),
        Sample("vacat, short", "καὶ vac. τόν", 'καὶ <space extent="unknown" unit="character"/> τόν'),
        Sample("one letter space", "καὶ v τόν", 'καὶ <space quantity="1" unit="character"/> τόν'),
        Sample("two letter spaces", "καὶ vv τόν", 'καὶ <space quantity="2" unit="character"/> τόν'),
        Sample("three letter spaces", "καὶ vac. 3 τόν", 'καὶ <space quantity="3" unit="character"/> τόν'),
        Sample(
            "about four letter spaces",
            "καὶ vac. c. 4 τόν",
            'καὶ <space quantity="4" unit="character" precision="low"/> τόν',
        ),
        Sample(
            "spatium vacuum",
            "καὶ spat. vac. τόν",
            'καὶ <space extent="unknown" unit="character"/> τόν',
            back="καὶ vac. τόν",
        ),
        Sample(
            "vacat, Panciera",
            "καὶ ( vac. 3) τόν",
            'καὶ <space quantity="3" unit="character"/> τόν',
            back="καὶ vac. 3 τόν",
        ),
        Sample(
            "perhaps a vacat",
            "καὶ vac.? τόν",
            'καὶ <space extent="unknown" unit="character"><certainty locus="name" match=".."/></space> τόν',
            back="καὶ vac.(?) τόν",
        ),
        Sample(
            "a row perhaps left empty",
            "καί\nvacat(?)\nτόν",
            'καί\n<lb/><space extent="unknown" unit="line"><certainty locus="name" match=".."/></space>\n<lb n="2"/>τόν',
        ),
        Sample(
            "letter spaces in parentheses",
            "καὶ (vv) τόν",
            'καὶ <space quantity="2" unit="character"/> τόν',
            back="καὶ vv τόν",
        ),
        Sample(
            "vacat without a blank after it",
            "καὶ vac.τόν",
            'καὶ <space extent="unknown" unit="character"/>τόν',
        ),
        Sample(
            "five centimetres",
            "καὶ vacat 0.05",
            'καὶ <space quantity="0.05" unit="m"/>',
            back="καὶ vac. 0.05",
        ),
        Sample(
            "a row left empty",
            "καί\nvacat\nτόν",
            'καί\n<lb/><space extent="unknown" unit="line"/>\n<lb n="2"/>τόν',
        ),
        Sample(
            "a row left empty inside a word",
            "βου-\nvacat\nλή",
            'βου\n<lb break="no"/><space extent="unknown" unit="line"/>\n<lb n="2" break="no"/>λή',
        ),
        Sample(
            "v among Latin words is a letter",
            "vixit v annis",
            '<foreign xml:lang="la">vixit v annis</foreign>',
            findings=("latin",),
        ),
        Sample(
            "vacat inside a restoration",
            "[καὶ v τόν]",
            '<supplied reason="lost">καὶ <space quantity="1" unit="character"/> τόν</supplied>',
        ),
    ],
    "Numerals and signs": [
        Sample("numeral", "ἔτους βʹ", 'ἔτους <num value="2" rend="tick">β</num>'),
        Sample(
            "numeral, with the Greek keyboard's tonos",
            "ἔτους β΄",
            'ἔτους <num value="2" rend="tick">β</num>',
            back="ἔτους βʹ",
        ),
        Sample("a word with a breathing is no numeral", "ἐφ′ ἑκάστῳ", "ἐφ′ ἑκάστῳ", findings=("numeral",)),
        Sample(
            "numeral in thousands",
            "𐆖 ͵βφʹ",
            '<g type="denarius">𐆖</g> <num value="2500" rend="tick">͵βφ</num>',
        ),
        Sample(
            "a lost numeral",
            "𐆖 —ʹ",
            '<g type="denarius">𐆖</g> <num rend="tick"><gap reason="lost" extent="unknown" unit="character"/></num>',
            back="𐆖 [— — —ʹ]",
        ),
        Sample(
            "a numeral broken off",
            "ρ[․]ʹ",
            '<num rend="tick">ρ<gap reason="lost" quantity="1" unit="character"/></num>',
            back="ρ[․ʹ]",
        ),
        Sample("acrophonic numeral", "ΧΗΔΙΙ", '<num value="1112">ΧΗΔΙΙ</num>'),
        Sample("acrophonic numeral, Unicode", "𐅄ΔΔΙ", '<num value="71">𐅄ΔΔΙ</num>'),
        Sample("one half", "𐅵", '<num value="1/2">𐅵</num>'),
        Sample("interpunct", "καὶ : τόν", 'καὶ <g type="interpunct">:</g> τόν'),
        Sample(
            "interpuncts",
            "καὶ ∶ τὸν ⋮ δῆμον ⁙",
            'καὶ <g type="interpunct">∶</g> τὸν <g type="interpunct">⋮</g> δῆμον <g type="interpunct">⁙</g>',
        ),
        Sample(
            "interpunct inside a word",
            "κ∙υ∙ρίοις",
            'κ<g type="interpunct">∙</g>υ<g type="interpunct">∙</g>ρίοις',
        ),
        Sample("raised dot between words", "καὶ · τόν", 'καὶ <g type="interpunct">·</g> τόν'),
        Sample("raised dot after a word is punctuation", "καί· τόν", "καί· τόν"),
        Sample("leaf", "❦ καί", '<g type="leaf">❦</g> καί'),
        Sample("cross", "+ ἔτους", '<g type="cross">+</g> ἔτους'),
        Sample("Beta-code leftover", "ἀγαθῇ #⁵⁶ τύχῃ", 'ἀγαθῇ <g type="beta-56">#⁵⁶</g> τύχῃ'),
        Sample(
            "Beta-code leftover inside a word", "Δαμά%⁸⁰τριος", 'Δαμά<g type="beta-percent-80">%⁸⁰</g>τριος'
        ),
        Sample("a named symbol", "((hedera)) καί", '<g type="hedera"/> καί', back="❦ καί"),
        Sample("another hand", "(hand 2) καί", '<handShift new="#m2"/> καί'),
        Sample(
            "metre of lost verse",
            "θε[ὸν ⏑ ⏑ – ⏑ ⏑ – ⏓]",
            'θε<supplied reason="lost">ὸν</supplied> <seg met="⏑⏑–⏑⏑–⏓"><gap reason="lost" extent="unknown" unit="character"/></seg>',
        ),
        Sample("apostrophe", "δ’ ἐγώ", "δ’ ἐγώ"),
        Sample("punctuation", "καί, τόν· τίς;", "καί, τόν· τίς;"),
    ],
    "Lines and parts": [
        Sample("word goes on", "βου-\nλή", 'βου\n<lb n="2" break="no"/>λή'),
        Sample(
            "word goes on, with a word processor's dash",
            "βου–\nλή",
            'βου\n<lb n="2" break="no"/>λή',
            back="βου-\nλή",
        ),
        Sample(
            "lines that a word processor divides",
            "βουλή\u2028δῆμος",
            'βουλή\n<lb n="2"/>δῆμος',
            back="βουλή\nδῆμος",
        ),
        Sample("lines", "βουλή\nδῆμος", 'βουλή\n<lb n="2"/>δῆμος'),
        Sample(
            "hyphen inside the bracket, papyri",
            "[βου-]\nλή",
            '<supplied reason="lost">βου</supplied>\n<lb n="2" break="no"/>λή',
            back="[βου]-\nλή",
        ),
        Sample(
            "verse end",
            "εἰς ἀεί· / πᾶσιν",
            '<lg>\n<l n="1">\n<lb n="1"/>εἰς ἀεί·</l>\n<l n="2">πᾶσιν</l>\n</lg>',
        ),
        Sample(
            "bar in a text printed as one row",
            "Σεβα|στῶι | καί",
            'Σεβα\n<lb n="2" break="no"/>στῶι\n<lb n="3"/>καί',
            back="Σεβα-\nστῶι\nκαί",
        ),
        Sample(
            "bar in a text of many rows",
            "Σεβα|στῶι\nκαί",
            'Σεβα<milestone unit="block" n="|" break="no"/>στῶι\n<lb n="2"/>καί',
        ),
        Sample(
            "double bar",
            "Σεβαστῶι ‖ καί\nτόν",
            'Σεβαστῶι <milestone unit="block" n="‖"/> καί\n<lb n="2"/>τόν',
        ),
        Sample(
            "direction of writing",
            "← βουλή\n→ δῆμος",
            '<ab>\n<lb n="1" style="direction:rtl"/>βουλή\n<lb n="2" style="direction:ltr"/>δῆμος\n</ab>',
        ),
        Sample(
            "line number",
            "1  βουλή\n   δῆμος\n   τόν\n   καί\n5  τίς",
            'βουλή\n<lb n="2"/>δῆμος\n<lb n="3"/>τόν\n<lb n="4"/>καί\n<lb n="5"/>τίς',
            back="βουλή\nδῆμος\nτόν\nκαί\nτίς",
        ),
        Sample(
            "a line number that skips a vacat",
            "4  βουλή\nvacat\n5  δῆμος",
            '<ab>\n<lb n="4"/>βουλή\n<lb/><space extent="unknown" unit="line"/>\n<lb n="5"/>δῆμος\n</ab>',
            back="βουλή\nvacat\nδῆμος",
        ),
        Sample(
            "column",
            "col. II\nβουλή",
            '<div type="textpart" subtype="column" n="II">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n</div>',
        ),
        Sample(
            "fragment",
            "fr. a\nβουλή",
            '<div type="textpart" subtype="fragment" n="a">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n</div>',
        ),
        Sample(
            "fragments, in capitals and plural",
            "Frr. a + b\nβουλή",
            '<div type="textpart" subtype="fragment" n="a + b">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n</div>',
            back="fr. a + b\nβουλή",
        ),
        Sample("face", "A\nβουλή", '<div type="textpart" n="A">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n</div>'),
        Sample(
            "column inside a face",
            "face B\nβουλή\ncol. I\nδῆμος",
            '<div type="textpart" subtype="face" n="B">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n<div type="textpart" subtype="column" n="I">\n<ab>\n<lb n="1"/>δῆμος\n</ab>\n</div>\n</div>',
        ),
        Sample(
            "face and column in one line",
            "A, col. I\nβουλή\nA, col. II\nδῆμος",
            '<div type="textpart" n="A">\n<div type="textpart" subtype="column" n="I">\n<ab>\n<lb n="1"/>βουλή\n</ab>\n</div>\n<div type="textpart" subtype="column" n="II">\n<ab>\n<lb n="1"/>δῆμος\n</ab>\n</div>\n</div>',
            back="A\ncol. I\nβουλή\ncol. II\nδῆμος",
        ),
        Sample(
            "part named with the line number",
            "A.1 βουλή\nA.2 δῆμος",
            '<div type="textpart" n="A">\n<ab>\n<lb n="1"/>βουλή\n<lb n="2"/>δῆμος\n</ab>\n</div>',
            back="A\nβουλή\nδῆμος",
        ),
    ],
    "Crossing and unbalanced": [
        Sample(
            "abbreviation crossing a restoration",
            "(καὶ [τὸν)]",
            '<expan><ex>καὶ</ex> <supplied reason="lost"><ex>τὸν</ex></supplied></expan>',
            back="(καὶ) [(τὸν)]",
        ),
        Sample(
            "restoration crossing an abbreviation",
            "[Αὐρ(ήλ]ιος)",
            '<expan><supplied reason="lost"><abbr>Αὐρ</abbr><ex>ήλ</ex></supplied><ex>ιος</ex></expan>',
            back="[Αὐρ(ήλ)](ιος)",
        ),
        Sample(
            "erasure crossing a restoration",
            "〚Γέ[τας〛 καί]",
            '<del rend="erasure">Γέ<supplied reason="lost">τας</supplied></del> <supplied reason="lost">καί</supplied>',
            back="〚Γέ[τας]〛 [καί]",
        ),
        Sample(
            "surplus crossing an omission",
            "{το<ῦ} δή>μου",
            '<surplus>το<supplied reason="omitted">ῦ</supplied></surplus> <supplied reason="omitted">δή</supplied>μου',
            back="{το<ῦ>} <δή>μου",
        ),
        Sample(
            "regularised word that begins in a restoration",
            "[τοῦ Χρυσιπο]ς {²⁶Χρύσιππος}²⁶",
            '<supplied reason="lost">τοῦ</supplied> <choice><orig><supplied reason="lost">Χρυσιπο</supplied>ς</orig><reg>Χρύσιππος</reg></choice>',
        ),
        Sample(
            "numeral half restored",
            "ρ[δʹ]",
            '<num value="104" rend="tick">ρ<supplied reason="lost">δ</supplied></num>',
        ),
        Sample(
            "bracket opened and not closed",
            "[βουλή\nδῆμος",
            '<supplied reason="lost">βουλή</supplied>\n<lb n="2"/>δῆμος',
            back="[βουλή]\nδῆμος",
            findings=("unclosed",),
        ),
        Sample(
            "bracket closed and not opened",
            "βουλ]ή\nδῆμος",
            '<supplied reason="lost">βουλ</supplied>ή\n<lb n="2"/>δῆμος',
            back="[βουλ]ή\nδῆμος",
            findings=("unopened",),
        ),
        Sample(
            "bracket inside its like",
            "[τοῦ [δήμου] καί]",
            '<supplied reason="lost">τοῦ [δήμου] καί</supplied>',
            findings=("nested",),
        ),
        Sample(
            "two brackets opened, one closed",
            "[τοῦ [δήμου]",
            '[τοῦ <supplied reason="lost">δήμου</supplied>',
            findings=("unbalanced",),
        ),
        Sample("parenthesis not closed", "Αὐρ(ήλιος", "Αὐρ(ήλιος", findings=("unbalanced",)),
        Sample("parenthesis not opened", "Αὐρήλιος)", "Αὐρήλιος)", findings=("unbalanced",)),
        Sample("angle bracket not closed", "βο<υλή", "βο&lt;υλή", findings=("unbalanced",)),
        Sample("code not closed", "{²⁶δῆμος", "{²⁶δῆμος", findings=("unbalanced",)),
        Sample("unknown sign", "δῆμος $ καί", "δῆμος $ καί", findings=("unknown-sign",)),
        Sample("digits", "δῆμος 12", "δῆμος 12", findings=("digits",)),
        Sample("hyphen at the very end", "δῆμο-", "δῆμο-", findings=("dangling-hyphen",)),
    ],
}


def table() -> str:
    """The table as Markdown."""
    parts: list[str] = []
    for section, samples in TABLE.items():
        parts.append(f"### {section}\n\n| meaning | PHI or Leiden | EpiDoc | reads back |\n|---|---|---|---|")
        for sample in samples:
            back = "same" if sample.reads_back == sample.text else _code(sample.reads_back)
            parts.append(f"| {_meaning(sample)} | {_code(sample.text)} | {_code(sample.epidoc)} | {back} |")
        parts.append("")
    return "\n".join(parts)


def _meaning(sample: Sample) -> str:
    if not sample.findings:
        return sample.meaning
    return f"{sample.meaning} (reported: {', '.join(f'`{code}`' for code in sample.findings)})"


def _code(text: str) -> str:
    """Code inside a table cell: line ends are shown, bars escaped, backticks fenced."""
    text = text.replace("\n", " ⏎ ").replace("|", "\\|").replace("\u00a0", "␣").replace("\u2028", " U+2028 ")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def page(text: str) -> str:
    """The page with the table of this moment."""
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{table()}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
