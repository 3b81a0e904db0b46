using System.Threading.Channels;
using CamCube.Histories;

namespace CamCube.Chaos.Clients;

/// <summary>Writes operations into a file and keeps them to be checked. Any thread.</summary>
internal sealed class HistoryWriter : IAsyncDisposable
{
    private readonly Channel<HistoryOperation> _operations = Channel.CreateUnbounded<HistoryOperation>();
    private readonly List<HistoryOperation> _all = [];
    private readonly Task _writing;
    private long _done;

    /// <summary>Begins a file.</summary>
    public HistoryWriter(string path) => _writing = WriteAsync(new StreamWriter(path));

    /// <summary>Operations that ended in one of the ways in which the client knows what came of them.</summary>
    public long Known => Volatile.Read(ref _done);

    /// <summary>All operations; when it is disposed.</summary>
    public IReadOnlyList<HistoryOperation> All => _all;

    /// <summary>Takes an operation that has ended.</summary>
    public void Add(HistoryOperation operation)
    {
        if (operation.Answer is not (HistoryAnswer.Unknown or HistoryAnswer.Unavailable))
        {
            Interlocked.Increment(ref _done);
        }

        _operations.Writer.TryWrite(operation);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _operations.Writer.TryComplete();
        await _writing.ConfigureAwait(false);
    }

    private async Task WriteAsync(StreamWriter file)
    {
        await using (file)
        {
            await foreach (HistoryOperation operation in _operations.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                _all.Add(operation);
                await file.WriteLineAsync(HistoryFile.Write(operation)).ConfigureAwait(false);
            }
        }
    }
}
