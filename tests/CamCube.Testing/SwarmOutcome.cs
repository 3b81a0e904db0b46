namespace CamCube.Testing;

/// <summary>What one run showed.</summary>
/// <param name="Finding">What is wrong; null: nothing.</param>
/// <param name="Faults">The faults that were planned, those too whose time did not come.</param>
/// <param name="Done">Those that were done, in order.</param>
/// <param name="Numbers">Numbers that the scenario drew.</param>
/// <param name="TraceHash">Equal in every run of the same.</param>
/// <param name="VirtualNanos">How long it was.</param>
/// <param name="Operations">Operations in histories.</param>
/// <param name="Answered">Answers that clients got.</param>
/// <param name="Unanswered">How often they got none.</param>
internal sealed record SwarmOutcome(
    SwarmFinding? Finding,
    IReadOnlyList<SwarmFault> Faults,
    IReadOnlyList<SwarmFault> Done,
    IReadOnlyCollection<SwarmNumber> Numbers,
    ulong TraceHash,
    long VirtualNanos,
    long Operations,
    long Answered,
    long Unanswered
);
