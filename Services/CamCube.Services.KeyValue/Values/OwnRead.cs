using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Values;

/// <summary>A piece that is read from this server's disk, while others wait for it or not. Its buffer is the disk's
/// until the disk has answered, however long that takes. Loop only.</summary>
internal sealed class OwnRead
{
    private readonly IServer _server;
    private readonly MemberPieces _pieces;
    private readonly MemberStore _store;
    private readonly PieceList _list;
    private readonly ValueSide _side;
    private readonly byte[] _buffer;
    private readonly Func<ValueTask> _run;
    private ReadOnlyMemory<byte> _piece;
    private LoopWait<bool>? _wait;
    private bool _isLeft;

    /// <summary>Makes one that reads nothing yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="pieces">Where the pieces lie.</param>
    /// <param name="list">The value, whose pieces are kept meanwhile.</param>
    /// <param name="buffer">At least <see cref="LogPieces.BufferBytes"/>.</param>
    /// <param name="side">Gets the buffer back.</param>
    public OwnRead(IServer server, MemberPieces pieces, PieceList list, byte[] buffer, ValueSide side)
    {
        (_server, _pieces, _list, _buffer, _side) = (server, pieces, list, buffer, side);
        (_store, _run) = (pieces.StoreWith(list.Id), RunAsync);
    }

    /// <summary>Which piece it is; -1: none yet.</summary>
    public int Number { get; private set; } = -1;

    /// <summary>The disk has not answered yet.</summary>
    public bool IsBusy { get; private set; }

    /// <summary>Reads another piece; what it had is gone.</summary>
    public void Begin(int number)
    {
        _store.Records.Pieces.Begin(_list.Id);
        (Number, IsBusy, _piece) = (number, true, default);
        _server.Loop.Run(_run);
    }

    /// <summary>Waits for the piece.</summary>
    /// <param name="patience">How long.</param>
    /// <returns>The piece, until <see cref="Begin"/>. Empty: it does not come, or is not right.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<ReadOnlyMemory<byte>> EndAsync(TimeSpan patience)
    {
        if (IsBusy)
        {
            var wait = new LoopWait<bool>();
            _wait = wait;
            ServerTimer timer = _server.CreateTimer(() => End(wait));
            timer.Arm(patience);
            await wait.Task;
            timer.Cancel();
        }

        return IsBusy ? default : _piece;
    }

    /// <summary>Nobody wants it any more.</summary>
    public void Leave()
    {
        _isLeft = true;
        if (IsBusy)
        {
            _side.Lend();
        }
        else
        {
            _side.End(_buffer);
        }
    }

    private async ValueTask RunAsync()
    {
        try
        {
            _piece = await ReadAsync();
        }
        finally
        {
            IsBusy = false;
            _store.Records.Pieces.End(_list.Id);
            if (_isLeft)
            {
                _side.Returned();
            }

            if (_wait is { } wait)
            {
                End(wait);
            }
        }
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<ReadOnlyMemory<byte>> ReadAsync()
    {
        LogRead read = await _store.Records.Pieces.Pieces.ReadAsync(_store.Log!, _list.Id, Number, _buffer);
        if (read.Status != DiskStatus.Done)
        {
            return default;
        }

        bool isRight =
            !read.IsRotten && read.Value.Length == _list.LengthOf(Number) && read.ValueSum == _list.Sums[Number];
        if (!isRight)
        {
            // Another server has it; here it is mended.
            _pieces.Rotten(_list.Id, Number);
            return default;
        }

        return read.Value;
    }

    // Once, whoever is first.
    private void End(LoopWait<bool> wait)
    {
        if (_wait == wait)
        {
            _wait = null;
            wait.End(true);
        }
    }
}
