namespace CamCube.Services.Workloads.Messages;

/// <summary>What came to one endpoint since it was opened. Times are nanoseconds of the server's clock, 0: never.
/// </summary>
/// <param name="Name">Its name.</param>
/// <param name="Term">Number of the opening; 0: the name was not its own yet.</param>
/// <param name="State">Where it is in its life.</param>
/// <param name="OwnedNanos">When the name became its own.</param>
/// <param name="FirstNanos">When the first message was taken.</param>
/// <param name="LastNanos">When the last one was.</param>
/// <param name="Received">How many were taken.</param>
/// <param name="Wrong">Of them, those that were sent to another endpoint.</param>
/// <param name="Malformed">Of them, those whose body is none.</param>
/// <param name="Doubled">Of them, those that had come before.</param>
/// <param name="Numbers">By sender the numbers that came, as in 0-41,43-43; empty if nobody asked.</param>
public sealed record OpeningReport(
    string Name,
    uint Term,
    string State,
    long OwnedNanos,
    long FirstNanos,
    long LastNanos,
    long Received,
    long Wrong,
    long Malformed,
    long Doubled,
    IReadOnlyDictionary<int, string> Numbers
);
