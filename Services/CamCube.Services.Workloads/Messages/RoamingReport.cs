namespace CamCube.Services.Workloads.Messages;

/// <summary>What <see cref="RoamingService"/> has seen on one server. Times are nanoseconds of its clock.</summary>
/// <param name="NowNanos">Now.</param>
/// <param name="Openings">Endpoints that were opened here, in order, also those that have ended.</param>
/// <param name="Senders">Those that send, or sent.</param>
/// <param name="Losses">Servers that this one has lost, in order.</param>
public sealed record RoamingReport(
    long NowNanos,
    IReadOnlyList<OpeningReport> Openings,
    IReadOnlyList<SenderReport> Senders,
    IReadOnlyList<LossReport> Losses
);
