using System.Runtime.CompilerServices;
using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// A vertex at a server that keeps nothing of the file: it is none of the members, or it stands in for a server that
/// is lost. It pulls the vertex's own parent from where its one consumer is, never a stripe of this server's: that may
/// wait for this very vertex. Pieces go on when they are whole and their sums right. It has a buffer only while a piece
/// is in it. Loop only.
/// </summary>
internal sealed class PieceRelay : IPullSource, IPullSink<PieceRequest>
{
    private readonly IServer _server;
    private readonly Manifest _manifest;
    private readonly PieceLayout _layout;
    private readonly int _tree;
    private readonly int _count;
    private readonly PullOutput _output;
    private readonly PieceBuffers _transit;
    private readonly DistributionCounters _counters;
    private readonly Func<ValueTask> _wait;
    private readonly PieceLook _isRight;
    private byte[]? _buffer;
    private PullInput<PieceRequest>? _pull;
    private int _number;
    private int _filled;
    private int _written;
    private bool _isChecked;
    private bool _isWaiting;
    private bool _isWorking;

    /// <summary>A relay for one consumer.</summary>
    /// <param name="server">The server.</param>
    /// <param name="manifest">What is known of the file.</param>
    /// <param name="layout">Its pieces.</param>
    /// <param name="tree">The tree.</param>
    /// <param name="from">The first piece that is wanted.</param>
    /// <param name="output">The consumer.</param>
    /// <param name="transit">Buffers for pieces.</param>
    /// <param name="isRight">Whether a piece is what it was.</param>
    /// <param name="counters">What is counted.</param>
    public PieceRelay(
        IServer server,
        Manifest manifest,
        PieceLayout layout,
        int tree,
        int from,
        PullOutput output,
        PieceBuffers transit,
        PieceLook isRight,
        DistributionCounters counters
    )
    {
        (_server, _manifest, _layout, _tree, _number) = (server, manifest, layout, tree, from);
        (_output, _transit, _counters) = (output, transit, counters);
        _isRight = isRight;
        (_count, _wait) = (layout.CountOf(tree), WaitAsync);
    }

    /// <summary>It has ended.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>Begins to pull.</summary>
    /// <param name="pull">Opens the pull of the parent, for this sink.</param>
    public void Begin(Func<PieceRelay, PullInput<PieceRequest>> pull) => _pull = _number < _count ? pull(this) : null;

    /// <summary>The job has ended here: the consumer asks again, somewhere.</summary>
    public void SendAway()
    {
        _output.Abort(PullRefusal.Unknown);
        ((IPullSource)this).OnLeft();
    }

    void IPullSource.OnWritable() => Work();

    void IPullSource.OnLeft()
    {
        if (!HasLeft)
        {
            HasLeft = true;
            _pull?.Dispose();
            ReturnBuffer();
        }
    }

    PieceRequest IPullSink<PieceRequest>.From(PullInput<PieceRequest> input)
    {
        if (_isChecked)
        {
            // A whole piece stays: it is being written.
            return new PieceRequest(_number + 1);
        }

        _filled = 0;
        return new PieceRequest(_number);
    }

    void IPullSink<PieceRequest>.OnReadable(PullInput<PieceRequest> input) => Work();

    bool IPullSink<PieceRequest>.OnRefused(PullInput<PieceRequest> input, PullRefusal why) => true;

    private void Work()
    {
        if (_isWorking || HasLeft)
        {
            return;
        }

        _isWorking = true;
        while (!HasLeft && _number < _count && Fill() && Flush()) { }
        _isWorking = false;
        if (_number == _count)
        {
            _output.Complete();
        }
    }

    // Whether there is a piece to be written.
    private bool Fill()
    {
        // There is no pull yet while it is being made.
        if (_isChecked || _pull is not { } pull)
        {
            return _isChecked;
        }

        int piece = _layout.PieceOf(_tree, _number),
            length = _layout.LengthOf(piece);
        while (_filled < length && pull.Peek() is { IsEmpty: false } bytes)
        {
            if ((_buffer ??= _transit.TryRent(_layout.PieceBytes)) is null)
            {
                Wait();
                return false;
            }

            int some = Math.Min(bytes.Length, length - _filled);
            bytes[..some].CopyTo(_buffer.AsSpan(_filled));
            _filled += some;
            pull.Consume(some);
        }

        if (_filled < length)
        {
            if (pull.IsWhole)
            {
                // An answer that ends before its stripe does is none.
                SendAway();
            }

            return false;
        }

        _isChecked = _isRight(_manifest, piece, _buffer.AsSpan(0, length));
        if (!_isChecked)
        {
            _counters.Wrong.Add();
            pull.Again();
        }

        return _isChecked;
    }

    // Whether the piece is written to its end.
    private bool Flush()
    {
        _written += _output.Write(_buffer.AsSpan(_written, _filled - _written));
        if (_written < _filled)
        {
            return false;
        }

        _counters.Relayed.Add();
        (_number, _filled, _written, _isChecked) = (_number + 1, 0, 0, false);
        ReturnBuffer();
        return true;
    }

    private void ReturnBuffer()
    {
        if (_buffer is { } buffer)
        {
            _buffer = null;
            _transit.Return(buffer);
        }
    }

    private void Wait()
    {
        if (!_isWaiting)
        {
            _isWaiting = true;
            _server.Loop.Run(_wait);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WaitAsync()
    {
        await _server.DelayAsync(DiskWords.BusyPause);
        _isWaiting = false;
        Work();
    }
}
