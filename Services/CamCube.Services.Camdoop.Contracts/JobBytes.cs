namespace CamCube.Services.Camdoop;

/// <summary>Bytes of a job. Of attempts that count only; what cables carried was carried, and all of it is
/// counted.</summary>
/// <param name="Input">Read by map tasks.</param>
/// <param name="Emitted">Pairs that map functions gave, before any was combined.</param>
/// <param name="Intermediate">Pairs that map tasks keep for the reduces, after combining at the map task.</param>
/// <param name="Sent">Bytes of pairs over cables of trees: one that crosses three counts thrice.</param>
/// <param name="Unaggregated">What the same pairs would have been on the same trees if nothing were combined on the
/// way.</param>
/// <param name="Detoured">Bytes of pairs that went by other ways, as from who ran a map task to where its pairs join
/// the trees: over one cable or several. Of a job without trees all are such.</param>
/// <param name="Reduced">Pairs that reduces took.</param>
/// <param name="Output">Written by reduces, or by map tasks of a job without; before it is compressed.</param>
public readonly record struct JobBytes(
    long Input,
    long Emitted,
    long Intermediate,
    long Sent,
    long Unaggregated,
    long Detoured,
    long Reduced,
    long Output
);
