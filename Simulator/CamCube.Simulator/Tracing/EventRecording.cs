using CamCube.Runtime.Tracing;

namespace CamCube.Simulator.Tracing;

/// <summary>
/// Writes down every event of a cube that goes into its trace hash, for a span of virtual time; about 150 bytes of
/// memory per event. Changes nothing that happens. Made by <see cref="SimulatedCube.Record"/>; belongs to the thread
/// that advances the cube.
/// </summary>
public sealed class EventRecording : IDisposable
{
    private readonly EventRecorder[] _recorders;
    private readonly Action<EventRecording> _ended;

    internal EventRecording(int servers, long fromNanos, long untilNanos, Action<EventRecording> ended)
    {
        // One per server: whatever thread simulates a server writes to its own list.
        _recorders = [.. Enumerable.Range(0, servers).Select(rank => new EventRecorder(rank, fromNanos, untilNanos))];
        (FromNanos, UntilNanos, _ended) = (fromNanos, untilNanos, ended);
    }

    /// <summary>Begin of the span, part of it.</summary>
    public long FromNanos { get; }

    /// <summary>End of the span, part of it.</summary>
    public long UntilNanos { get; }

    /// <summary>The events so far in their total order: time, server, sequence of the server.</summary>
    public IReadOnlyList<TraceEvent> Read()
    {
        var all = new List<TraceEvent>(_recorders.Sum(recorder => recorder.Events.Count));
        foreach (EventRecorder recorder in _recorders)
        {
            all.AddRange(recorder.Events);
        }

        all.Sort();
        return all;
    }

    /// <summary>Ends the recording; what was recorded can still be read.</summary>
    public void Dispose() => _ended(this);

    internal EventRecorder Of(int rank) => _recorders[rank];
}
