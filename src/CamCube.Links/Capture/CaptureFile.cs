namespace CamCube.Capture;

/// <summary>
/// A pcapng file of what passes on some links: one interface per link, named "0,0,0 +x", Ethernet frames with EtherType
/// 0x88B5 and wire format v1 (docs/wire-format.md), time stamps in nanoseconds. Wireshark reads it, with the dissector
/// in tools/wireshark. Links record on the thread of their server; everything else is called while no server runs, or,
/// where the servers have one thread, on that. Equal runs give equal files.
/// </summary>
public sealed class CaptureFile : IDisposable
{
    private readonly CaptureOptions _options;
    private readonly PcapngWriter _writer;
    private readonly List<CaptureLink> _links = [];
    private readonly List<Pending> _pending = [];
    private volatile bool _isFull;
    private bool _isAbandoned;
    private bool _isClosed;

    /// <summary>Begins a file.</summary>
    /// <param name="stream">Where it goes. The file owns it and closes it.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="options">Limits.</param>
    public CaptureFile(Stream stream, TorusShape shape, CaptureOptions? options = null) =>
        (_writer, Shape, _options) = (new PcapngWriter(stream), shape, options ?? new CaptureOptions());

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>Frames in the file, as of the last <see cref="Write"/>.</summary>
    public long Frames { get; private set; }

    /// <summary>Links that are captured.</summary>
    public int LinkCount => _links.Count;

    /// <summary>Server time of the first frame that had no room any more, or null.</summary>
    public long? CutOffNanos { get; private set; }

    /// <summary>The words for a recording that ended because the file is full.</summary>
    public string WhyFull => FormattableString.Invariant($"it has {_options.MostFrames:N0} frames, all it may have");

    internal bool IsFull => _isFull;

    internal long FromNanos => _options.FromNanos;

    /// <summary>The record of a link, made when it is asked for first: a server that starts again goes on with its
    /// own.</summary>
    /// <param name="server">The server that sends on the link.</param>
    /// <param name="link">The link.</param>
    /// <param name="bitsPerSecond">Its rate, or 0 if it is not known.</param>
    /// <exception cref="ArgumentException">There is no such server, or no cable on that link.</exception>
    public CaptureLink LinkOf(Coordinate server, Link link, long bitsPerSecond)
    {
        if (_links.Find(old => old.Server == server && old.Link == link) is { } known)
        {
            return known;
        }

        if (!Shape.Contains(server) || !Shape.CabledLinks(server).Contains(link))
        {
            throw new ArgumentException(
                $"There is no cable on {link.Name()} of {server} in a cube of {Shape}.",
                nameof(link)
            );
        }

        var made = new CaptureLink(this, _links.Count, server, link, Shape);
        _links.Add(made);
        _writer.Interface(made.Name, $"server {server} to {Shape.Step(server, link)}", bitsPerSecond);
        return made;
    }

    /// <summary>Writes what was recorded since the last time, in order of time and then of links.</summary>
    public void Write()
    {
        foreach (CaptureLink link in _links)
        {
            link.MoveTo(_pending);
        }

        _pending.Sort();
        foreach (Pending frame in _pending)
        {
            if (Frames == _options.MostFrames)
            {
                CutOffNanos ??= frame.TimeNanos;
                _isFull = true;
                break;
            }

            CaptureLink link = _links[frame.Interface];
            _writer.Frame(
                frame.Interface,
                frame.TimeNanos + _options.EpochUnixNanos,
                link.BytesOf(frame),
                frame.OriginalLength,
                frame.IsInbound
            );
            Frames++;
        }

        _pending.Clear();
        foreach (CaptureLink link in _links)
        {
            link.Forget();
        }

        _writer.Flush();
    }

    /// <summary>Writes nothing more: the file could not be written. What is in it stays.</summary>
    public void Abandon()
    {
        foreach (CaptureLink link in _links)
        {
            link.Forget();
        }

        _pending.Clear();
        (_isAbandoned, _isFull) = (true, true);
    }

    /// <summary>Writes the rest and closes the file.</summary>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        if (!_isAbandoned)
        {
            Write();
        }

        _writer.Dispose();
    }

    /// <summary>A recorded frame that is not written yet. Ordered by time, interface, and order on the
    /// interface.</summary>
    internal readonly record struct Pending(
        long TimeNanos,
        int Interface,
        int Order,
        int Offset,
        int Length,
        int OriginalLength,
        bool IsInbound
    ) : IComparable<Pending>
    {
        public int CompareTo(Pending other)
        {
            int order = TimeNanos.CompareTo(other.TimeNanos);
            order = order != 0 ? order : Interface.CompareTo(other.Interface);
            return order != 0 ? order : Order.CompareTo(other.Order);
        }
    }
}
