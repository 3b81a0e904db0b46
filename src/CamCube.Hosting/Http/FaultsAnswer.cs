using CamCube.Faults;
using CamCube.Hosting.Faults;

namespace CamCube.Hosting.Http;

/// <summary>The answer of <c>GET /api/faults</c>; docs/http-api.md describes every field.</summary>
internal sealed record FaultsAnswer(IReadOnlyList<FaultRuleAnswer> Rules, IReadOnlyDictionary<string, long> Counts)
{
    /// <summary>The answer about a desk.</summary>
    public static FaultsAnswer Of(FaultDesk desk)
    {
        LinkFaultCounts counts = desk.Counts;
        return new FaultsAnswer(
            [.. desk.InForce.Select(rule => FaultRuleAnswer.Of(rule.Id, rule.Order))],
            new Dictionary<string, long>
            {
                ["lost"] = counts.Lost,
                ["cut"] = counts.Cut,
                ["garbled"] = counts.Garbled,
                ["corrupted"] = counts.Corrupted,
                ["duplicated"] = counts.Duplicated,
                ["delayed"] = counts.Delayed,
                ["heldBack"] = counts.HeldBack,
                ["slowed"] = counts.Slowed,
                ["overflowed"] = counts.Overflowed,
            }
        );
    }
}
