using System.Globalization;

namespace CamCube.Simulator.Seeing;

/// <summary>One step of a packet's way.</summary>
/// <param name="TimeNanos">Virtual time.</param>
/// <param name="Server">Where.</param>
/// <param name="Copy">0 for the packet itself, from 1 for its copies, in the order in which they were made.</param>
/// <param name="Event">"sent", "arrived", "delivered", "verdict", "copied", "waited", "rerouted", "left", "lost",
/// "dropped", "threw" or "end".</param>
/// <param name="Text">The step in words, the event's word included.</param>
public sealed record PacketStep(long TimeNanos, Coordinate Server, int Copy, string Event, string Text)
{
    /// <summary>A line: time in milliseconds, server, copy, text.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{TimeNanos / 1e6, 12:F6} ms  {Server, -9} {(Copy == 0 ? "" : $"#{Copy} ")}{Text}"
        );
}
