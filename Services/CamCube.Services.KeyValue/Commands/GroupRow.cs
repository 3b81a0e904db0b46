namespace CamCube.Services.KeyValue.Commands;

/// <summary>A group as one server sees it, in JSON.</summary>
/// <param name="Group">Table, home and sequence: <c>0/1,0,2/17</c>.</param>
/// <param name="Epoch">Its epoch; 0: not born, as far as is known here.</param>
/// <param name="Members">Its members.</param>
/// <param name="Leader">Who leads; nothing: nobody is known to.</param>
/// <param name="Index">The last change that is applied here.</param>
/// <param name="Behind">Changes that are in the log here and not applied.</param>
/// <param name="BehindBytes">Bytes of these.</param>
/// <param name="Generation">How often stores that were gone for good were given up.</param>
/// <param name="WithoutMajoritySeconds">For how long no majority of the members' stores can be reached; 0: one can.
/// </param>
internal sealed record GroupRow(
    string Group,
    uint Epoch,
    IReadOnlyList<MemberRow> Members,
    string? Leader,
    ulong Index,
    ulong Behind,
    long BehindBytes,
    uint Generation,
    double WithoutMajoritySeconds
)
{
    public static GroupRow Of(KeyValueGroup group) =>
        new(
            $"{group.Table}/{group.Home}/{group.Sequence}",
            group.Epoch,
            [.. group.Members.Select((server, i) => new MemberRow($"{server}", StateOf(group, i)))],
            group.Leader?.ToString(),
            group.Applied,
            group.Last - Math.Min(group.Applied, group.Last),
            group.BehindBytes,
            group.Generation,
            group.WithoutMajority.TotalSeconds
        );

    private static string StateOf(KeyValueGroup group, int member) =>
        (group.Away >> member & 1) != 0 ? "away"
        : (group.Unreachable >> member & 1) != 0 ? "unreachable"
        : "here";
}
