using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>
/// One pull, as who pulls sees it: the vertex's answer in order, each byte once, however often the server that plays it
/// is lost. When its stream ends before the answer does, it is opened again at whoever plays the vertex by then, from
/// where the sink says it is (NSDI §4.2). Made by <see cref="PullEndpoint{THeader, TRequest}.Pull"/>; whoever has it
/// disposes of it. Loop only.
/// </summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public sealed class PullInput<TRequest> : IDisposable
    where TRequest : IPullRequest<TRequest>
{
    private readonly IPulls<TRequest> _pulls;
    private readonly IPullSink<TRequest> _sink;
    private readonly TreeCounts _counts;
    private ReliableStream? _stream;

    // Most never wait, and there are very many.
    private ServerTimer? _timer;
    private TimeSpan _pause;
    private bool _wasOpen;
    private bool _isOver;
    private bool _starves;

    internal PullInput(IPulls<TRequest> pulls, in VertexId vertex, in PullTerms terms, IPullSink<TRequest> sink)
    {
        (_pulls, Vertex, Terms, _sink) = (pulls, vertex, terms, sink);
        _pause = pulls.Options.FirstRetry;
        _counts = pulls.Counters.OfTree(vertex.Tree);
    }

    /// <summary>The vertex.</summary>
    public VertexId Vertex { get; }

    /// <summary>How it shares links and memory.</summary>
    public PullTerms Terms { get; }

    /// <summary>How often it was opened: more than once, if it broke off.</summary>
    public int Openings { get; private set; }

    /// <summary>Bytes that were consumed, of all openings.</summary>
    public long Consumed { get; private set; }

    /// <summary>The answer has ended, and all of it was consumed.</summary>
    public bool IsWhole { get; private set; }

    /// <summary>All of the answer is here; some of it may not be consumed.</summary>
    public bool HasAll => IsWhole || _stream is { IsWhole: true };

    /// <summary>Who plays the vertex, and answers now; null: it is not being asked.</summary>
    public Coordinate? Player => _stream?.Peer;

    /// <summary>The tree's own cable, by which the answer comes; null: it comes by all link-disjoint paths, or
    /// not.</summary>
    public Link? Via { get; private set; }

    /// <summary>Bytes that are here in order.</summary>
    public long Readable => _stream?.Readable ?? 0;

    /// <summary>Bytes that are here, in one piece; more may be behind them. Valid until
    /// <see cref="Consume"/>.</summary>
    public ReadOnlySpan<byte> Peek() => _stream is { } stream ? stream.Peek() : default;

    /// <summary>Copies bytes that are here, from an offset on. Returns how many.</summary>
    public int Peek(long offset, Span<byte> to) => _stream is { } stream ? stream.Peek(offset, to) : 0;

    /// <summary>Has done with bytes.</summary>
    /// <param name="count">How many, at most <see cref="Readable"/>.</param>
    public void Consume(int count)
    {
        if (_stream is { } stream)
        {
            stream.Consume(count);
            Consumed += count;
            _counts.Bytes.Add(count);
            Terms.Tally?.Take(Via, isHere: stream.Peer == _pulls.Server.Coordinate, count);
            if (Via is { } link)
            {
                _pulls.Counters.LinkBytes.Add(link, count);
            }

            _pause = _pulls.Options.FirstRetry;
            LookForEnd();
        }
    }

    /// <summary>What came cannot be used: it is void, and asked for again, later; also where the answer has
    /// ended.</summary>
    public void Again()
    {
        IsWhole = false;
        Leave();
        Wait();
    }

    /// <summary>Wants no more.</summary>
    public void Dispose()
    {
        _isOver = true;
        _timer?.Cancel();
        Starve(false);
        Leave();
    }

    internal void Open()
    {
        if (_isOver || IsWhole)
        {
            return;
        }

        Openings++;
        _stream = _pulls.Open(this, _sink.From(this), out Link? via);
        Starve(_stream is null);
        if (_stream is null)
        {
            Wait();
            return;
        }

        Via = via;
        Count();
        _wasOpen = true;
    }

    internal void OnReadable()
    {
        LookForEnd();
        if (!_isOver)
        {
            _sink.OnReadable(this);
        }
    }

    internal void OnEnded(StreamEnd end)
    {
        bool wasWhole = IsWhole;
        LookForEnd();
        Leave();
        if (IsWhole || _isOver)
        {
            if (!wasWhole && !_isOver)
            {
                _sink.OnReadable(this);
            }

            return;
        }

        // Who is asked takes a stream only with memory for it.
        Starve(end.Reason == StreamEndReason.Refused);
        bool isRefused = end.Reason is StreamEndReason.Reset or StreamEndReason.Stopped;
        if (!isRefused || _sink.OnRefused(this, (PullRefusal)end.Code))
        {
            Wait();
        }
    }

    private void Starve(bool starves)
    {
        if (_starves != starves)
        {
            _starves = starves;
            _pulls.Starve(starves ? 1 : -1);
        }
    }

    private void Count()
    {
        int again = _wasOpen ? 1 : 0;
        _counts.Opened.Add();
        _counts.Again.Add(again);
        Terms.Tally?.Open(_wasOpen);
        if (Via is { } link)
        {
            _pulls.Counters.LinkOpened.Add(link);
            _pulls.Counters.LinkAgain.Add(link, again);
        }
        else
        {
            _counts.Detours.Add();
        }
    }

    private void LookForEnd() => IsWhole |= _stream is { IsAtEnd: true };

    private void Leave()
    {
        if (_stream is { } stream)
        {
            (_stream, Via) = (null, null);
            _pulls.Forget(stream);
            stream.Dispose();
        }
    }

    private void Wait()
    {
        if (!_isOver)
        {
            _timer ??= _pulls.Server.CreateTimer(Open);
            _timer.Arm(_pause);
            TimeSpan twice = 2 * _pause;
            _pause = twice < _pulls.Options.MostRetry ? twice : _pulls.Options.MostRetry;
        }
    }
}
