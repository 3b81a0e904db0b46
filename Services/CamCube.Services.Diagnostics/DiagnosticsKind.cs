namespace CamCube.Services.Diagnostics;

/// <summary>What a packet of the diagnostics service is.</summary>
public enum DiagnosticsKind : byte
{
    /// <summary>A question that travels to its destination.</summary>
    Ping = 1,

    /// <summary>Its answer: the same packet, turned round.</summary>
    Pong = 2,

    /// <summary>A packet of the benchmark sender, counted and consumed at its destination.</summary>
    Load = 3,

    /// <summary>Asks a server for its state and counters.</summary>
    Ask = 4,

    /// <summary>The answer: the body is what <see cref="SummaryCodec"/> writes.</summary>
    Summary = 5,

    /// <summary>Goes to a server, and every server on the way writes itself into its body
    /// (<see cref="TraceCodec"/>).</summary>
    Trace = 6,

    /// <summary>A trace on its way back.</summary>
    Traced = 7,
}
