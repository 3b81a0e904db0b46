using System.Threading.Channels;
using CamCube.Histories;

namespace CamCube.Chaos.Clients;

/// <summary>Writes operations into a file and keeps them to be checked. Any thread.</summary>
internal sealed class HistoryWriter : IAsyncDisposable
{
    private readonly Channel<HistoryOperation> _operations = Channel.CreateUnbounded<HistoryOperation>();
    private readonly List<HistoryOperation> _all = [];
    private readonly bool _keeps;
    private readonly Task _writing;
    private long _done;
    private long _lastNanos;
    private RecordingResult _result = new(0, 0, 0, 0);

    /// <summary>Begins a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keeps">Whether all are kept, too.</param>
    public HistoryWriter(string path, bool keeps = true)
    {
        _keeps = keeps;
        _writing = WriteAsync(new StreamWriter(path));
    }

    /// <summary>What was written, in numbers.</summary>
    public RecordingResult Result => Volatile.Read(ref _result);

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
                if (_keeps)
                {
                    _all.Add(operation);
                }

                Volatile.Write(ref _result, After(operation));
                await file.WriteLineAsync(HistoryFile.Write(operation)).ConfigureAwait(false);
            }
        }
    }

    private RecordingResult After(HistoryOperation operation)
    {
        if (operation is { Kind: HistoryKind.Delete, Answer: HistoryAnswer.Unknown, IfValue: not null })
        {
            // Nobody asked for it: a value that may end by itself.
            return _result;
        }

        bool isUnknown = operation.Answer == HistoryAnswer.Unknown,
            isUnavailable = operation.Answer == HistoryAnswer.Unavailable;
        long gap = 0;
        if (!isUnknown && !isUnavailable)
        {
            gap = _result.Operations > 0 ? operation.End - _lastNanos : 0;
            _lastNanos = Math.Max(_lastNanos, operation.End);
        }

        return new RecordingResult(
            _result.Operations + 1,
            _result.Unknown + (isUnknown ? 1 : 0),
            _result.Unavailable + (isUnavailable ? 1 : 0),
            Math.Max(_result.LongestNanos, gap)
        );
    }
}
