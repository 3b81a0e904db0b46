namespace CamCube.Experiments.KeyValues;

/// <summary>Others took the part of a server that was lost, while clients were served.</summary>
/// <param name="Nanos">How long that took, from the first bytes that were fetched.</param>
/// <param name="Bytes">Bytes that were fetched.</param>
/// <param name="Sources">Servers that gave at least a hundredth of them.</param>
/// <param name="Sinks">Servers that fetched at least a hundredth of them.</param>
/// <param name="Before">What clients had before.</param>
/// <param name="Meanwhile">What they had meanwhile.</param>
/// <param name="Failed">Answers other than Done.</param>
internal sealed record ReplacementResult(
    long Nanos,
    long Bytes,
    int Sources,
    int Sinks,
    ClientTimes Before,
    ClientTimes Meanwhile,
    long Failed
);
