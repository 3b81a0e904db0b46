using CamCube.Hosting.Faults;

namespace CamCube.Hosting.Http;

/// <summary>One fault rule in force in <see cref="FaultsAnswer"/>, and the answer to the order that made it.</summary>
internal sealed record FaultRuleAnswer(int Id, string Kind, IReadOnlyDictionary<string, string> Arguments)
{
    /// <summary>The answer about a rule.</summary>
    public static FaultRuleAnswer Of(int id, FaultOrder order) => new(id, order.Kind, order.Arguments);
}
