using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Recordings;

/// <summary>What is to be recorded of a run.</summary>
public sealed class RecordingPlan
{
    /// <summary>The cube.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>Where the capture goes, or null.</summary>
    public string? CaptureFile { get; init; }

    /// <summary>The captured links; none: all.</summary>
    public IReadOnlyList<(Coordinate Server, Link Link)> Links { get; init; } = [];

    /// <summary>Most frames of the capture.</summary>
    public long CaptureFrames { get; init; }

    /// <summary>Where the timeline goes, or null.</summary>
    public string? TimelineFile { get; init; }

    /// <summary>Most events of the timeline.</summary>
    public long TimelineEvents { get; init; }

    /// <summary>When capture and timeline begin.</summary>
    public long FromNanos { get; init; }

    /// <summary>The number of the traced packet, or null.</summary>
    public long? Packet { get; init; }

    /// <summary>The server of which the traced packet is that number; null: of the whole run.</summary>
    public Coordinate? PacketFrom { get; init; }

    /// <summary>
    /// Runs an experiment with the recording, or without if nothing is to be recorded. For the N-th packet of the whole
    /// run it runs twice, which gives the same packets: first until that packet is sent, to learn which server sends
    /// it.
    /// </summary>
    /// <exception cref="SwarmException">A file cannot be written, or the packet is never sent.</exception>
    public (T Result, Recording? Recording) Run<T>(Func<IRunRecorder?, T> experiment)
    {
        if (CaptureFile is null && TimelineFile is null && Packet is null)
        {
            return (experiment(null), null);
        }

        (Coordinate Server, long Number)? traced = null;
        if (Packet is { } number)
        {
            traced = (PacketFrom ?? default, number);
            if (PacketFrom is null)
            {
                var search = new PacketSearch(Shape, number);
                experiment(search);
                traced = search.Finder.Found ?? throw NeverSent(number, search.Finder.Sent, "in this run");
            }
        }

        using var recording = new Recording(this, traced);
        T result = experiment(recording);
        recording.CheckFound();
        return (result, recording);
    }

    /// <summary>The one line for a packet that is not sent.</summary>
    public static SwarmException NeverSent(long number, long sent, string where) =>
        new(
            FormattableString.Invariant(
                $"--trace-packet: there is no packet {number:N0}; services send {sent:N0} {where}."
            )
        );

    private sealed class PacketSearch(TorusShape shape, long number) : IRunRecorder
    {
        public PacketFinder Finder { get; } = new(shape, number);

        public bool IsDone => Finder.Found is not null;

        public void Prepare(
            TorusShape shape,
            IReadOnlyList<Runtime.Services.ServiceDefinition> services,
            SimulatorOptions options
        ) => options.ObserverOf = Finder.ObserverOf;

        public void Advanced(long nowNanos) => Finder.Look();

        public void Ended() { }
    }
}
