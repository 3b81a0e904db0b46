namespace CamCube.Services.KeyValue.Commands;

/// <summary>A group that cannot go on by itself, in JSON.</summary>
/// <param name="Group">Table, home and sequence.</param>
/// <param name="Base">The server whose copy it goes on with; nothing: nobody has one.</param>
/// <param name="Lost">Its members whose stores are lost.</param>
/// <param name="Members">Who has it then.</param>
/// <param name="Generation">The generation that begins.</param>
/// <param name="Index">The last change that the base has.</param>
/// <param name="HeardSeconds">How long ago the base heard a leader; nothing: not since it started.</param>
/// <param name="Missing">What may be missing: all; afterHeard (what others did after the base heard a leader last); any
/// (whatever only the lost ones had).</param>
internal sealed record RecoverGroupRow(
    string Group,
    string? Base,
    IReadOnlyList<string> Lost,
    IReadOnlyList<string> Members,
    uint Generation,
    ulong Index,
    double? HeardSeconds,
    string Missing
);
