using CamCube.Faults;

namespace CamCube.Hosting.Faults;

/// <summary>A fault that an operator wants, and where.</summary>
/// <param name="Kind">Its name, as in loss.</param>
/// <param name="Fault">What happens to packets.</param>
/// <param name="Scope">The links, and whose packets.</param>
/// <param name="Arguments">What was asked for, as it was written: at, way, service, probability and so on.</param>
internal sealed record FaultOrder(
    string Kind,
    LinkFault Fault,
    LinkScope Scope,
    IReadOnlyDictionary<string, string> Arguments
);
