using System.Runtime.CompilerServices;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>A file whose reads and writes wait for their turns. Loop only.</summary>
/// <param name="file">The file, closed with this.</param>
/// <param name="turns">The turns of the server's disk.</param>
/// <param name="weight">The weight of its job.</param>
internal sealed class TurnedFile(IDiskFile file, DiskTurns turns, int weight) : IDiskFile
{
    private readonly Queue<DiskTurn> _waiting = new();
    private readonly Stack<DiskTurn> _free = new();
    private int _open;
    private bool _isClosed;

    /// <summary>The weight of its job.</summary>
    public int Weight => weight;

    /// <summary>When its next turn is: who has the least is next.</summary>
    public double Turn { get; set; }

    /// <inheritdoc/>
    public string Name => file.Name;

    /// <inheritdoc/>
    public long Length => _isClosed ? 0 : file.Length;

    /// <summary>Takes the one out that has waited longest.</summary>
    /// <param name="isLast">No other waits.</param>
    public DiskTurn TakeNext(out bool isLast)
    {
        DiskTurn turn = _waiting.Dequeue();
        isLast = _waiting.Count == 0;
        return turn;
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer)
    {
        if (_isClosed)
        {
            return new DiskResult<int>(DiskStatus.Stopped, 0);
        }

        await BeginAsync(buffer.Length).ConfigureAwait(false);
        DiskResult<int> read = await file.ReadAsync(offset, buffer).ConfigureAwait(false);
        End();
        return read;
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync = false)
    {
        if (_isClosed)
        {
            return DiskStatus.Stopped;
        }

        await BeginAsync(bytes.Length).ConfigureAwait(false);
        DiskStatus status = await file.WriteAsync(offset, bytes, sync).ConfigureAwait(false);
        End();
        return status;
    }

    /// <inheritdoc/>
    public ValueTask<DiskStatus> GatherAsync(
        long offset,
        IReadOnlyList<ReadOnlyMemory<byte>> pieces,
        bool sync = false
    ) => file.GatherAsync(offset, pieces, sync);

    /// <inheritdoc/>
    public ValueTask<DiskStatus> SetLengthAsync(long length) => file.SetLengthAsync(length);

    /// <inheritdoc/>
    public ValueTask<DiskStatus> SyncAsync() => file.SyncAsync();

    /// <inheritdoc/>
    public void Close()
    {
        // What was asked for before ends as it would have.
        _isClosed = true;
        if (_open == 0)
        {
            file.Close();
        }
    }

    private ValueTask BeginAsync(int bytes)
    {
        _open++;
        if (turns.TryBegin(this, bytes))
        {
            return default;
        }

        if (_waiting.Count == 0)
        {
            turns.Add(this);
        }

        DiskTurn turn = _free.TryPop(out DiskTurn? free) ? free : new DiskTurn();
        _waiting.Enqueue(turn);
        return WaitAsync(turn, bytes);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    private async ValueTask WaitAsync(DiskTurn turn, int bytes)
    {
        await turn.WaitAsync(bytes).ConfigureAwait(false);
        _free.Push(turn);
    }

    private void End()
    {
        if (--_open == 0 && _isClosed)
        {
            file.Close();
        }

        turns.End();
    }
}
