using System.Globalization;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>
/// Puts the pairs of a file of output, which has its name, into the key-value store, and leaves a mark in the output's
/// directory that they are there. Whoever does it once more, as its server died or its tracker changed, puts the same.
/// Loop only.
/// </summary>
/// <param name="terms">What tasks of the server have in common.</param>
/// <param name="job">The job.</param>
/// <param name="pairs">Where they go.</param>
/// <param name="mayPut">Whether the job's tracker was heard lately. Who was not, as it stood still, may not know that
/// another has done it, and that the job is over and its keys others' to change: it waits.</param>
/// <param name="cancel">Nobody wants it any more.</param>
internal sealed class PairPutter(TaskTerms terms, Job job, JobPairs pairs, Func<bool> mayPut, CancellationToken cancel)
{
    private const string Mark = "_stored-";
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(200);
    private readonly PairLine _line = new(job.Description, pairs);
    private readonly Queue<(byte[] Key, byte[] Value)> _waiting = new();
    private readonly HashSet<Key> _open = [];
    private readonly StepSignal _left = new();
    private SinkEnd? _end;

    /// <summary>The number of the task whose pairs a file's name says to be put; less than 0: none.</summary>
    public static int TaskOfMark(string name) =>
        name.StartsWith(Mark, StringComparison.Ordinal)
        && int.TryParse(name.AsSpan(Mark.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int task)
            ? task
            : -1;

    /// <summary>Puts them.</summary>
    /// <param name="task">The task's number.</param>
    /// <param name="path">The file.</param>
    /// <param name="mostLine">Bytes of the longest line.</param>
    /// <returns>Why not; null: they are there.</returns>
    public async ValueTask<SinkEnd?> PutAsync(int task, string path, int mostLine)
    {
        string mark = FilePath.Join(
            job.Description.Output,
            string.Create(CultureInfo.InvariantCulture, $"{Mark}{task:00000}")
        );
        if (!terms.Files.IsAvailable)
        {
            return FileSink.EndOf(FileStatus.Unavailable);
        }

        FileAnswer marked = await terms.Files.Value.FindAsync(mark);
        if (marked.Status == FileStatus.Done)
        {
            return null;
        }

        if (terms.Mistake == CamdoopMistake.EarlyPairs)
        {
            await MarkAsync(mark);
        }

        SinkEnd? end;
        do
        {
            // Again from the beginning, if the file cannot be read now: what is put already becomes the same.
            end = await PutAllAsync(path, mostLine);
            end ??= cancel.IsCancellationRequested ? SinkEnd.NoMore : await MarkAsync(mark);
        } while (
            end is { IsInnocent: true } && !cancel.IsCancellationRequested && await terms.Server.DelayAsync(Again)
        );

        return end;
    }

    private async ValueTask<SinkEnd?> MarkAsync(string mark)
    {
        using IFileWriter writer = terms.Files.Value.OpenWrite(mark);
        FileStatus status = (await writer.CommitAsync()).Status;
        return status == FileStatus.Exists ? null : FileSink.EndOf(status);
    }

    private async ValueTask<SinkEnd?> PutAllAsync(string path, int mostLine)
    {
        SinkEnd? end = await ReadAsync(path, mostLine);
        while (_open.Count > 0)
        {
            await _left.WaitAsync().ConfigureAwait(false);
        }

        _waiting.Clear();
        return end ?? _end;
    }

    private async ValueTask<SinkEnd?> ReadAsync(string path, int mostLine)
    {
        using IFileReader reader = await terms.Files.Value.OpenReadAsync(path);
        if (reader.Answer.Status != FileStatus.Done)
        {
            return FileSink.EndOf(reader.Answer.Status);
        }

        var lines = new LineCutter(mostLine, line => _waiting.Enqueue(_line.Cut(line)));
        while (!cancel.IsCancellationRequested)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                return FileSink.EndOf(part.Status);
            }

            lines.Add(part.Bytes.Span);
            if (part.Bytes.IsEmpty)
            {
                lines.Complete();
            }

            await PutWaitingAsync();
            if (_end is not null || part.Bytes.IsEmpty)
            {
                break;
            }
        }

        return _end;
    }

    private async ValueTask PutWaitingAsync()
    {
        while (_waiting.TryPeek(out (byte[] Key, byte[] Value) next))
        {
            if (_end is not null || cancel.IsCancellationRequested)
            {
                return;
            }

            // Of two pairs with one key the second one stays.
            if (_open.Count < terms.Options.PutsAtOnce && _open.Add(Key.OfBytes(next.Key)))
            {
                _waiting.Dequeue();
                terms.Server.Loop.Run(() => PutAsync(next.Key, next.Value));
            }
            else
            {
                await _left.WaitAsync().ConfigureAwait(false);
            }
        }
    }

    private async ValueTask PutAsync(byte[] key, byte[] value)
    {
        while (_end is null && !cancel.IsCancellationRequested)
        {
            if (mayPut() && terms.Store.IsAvailable)
            {
                KeyValueAnswer answer = await terms.Store.Value.PutAsync(new KeyValueKey(key, pairs.Table), value);
                if (answer.Status == KeyValueStatus.Done)
                {
                    terms.Counters.Put.Add();
                    break;
                }

                _end ??= EndOf(answer.Status);
            }

            if (_end is null && !await terms.Server.DelayAsync(Again))
            {
                _end = new SinkEnd("the service has stopped", IsInnocent: true);
            }
        }

        _open.Remove(Key.OfBytes(key));
        _left.Set();
    }

    // What passes is tried again as long as somebody wants it.
    private static SinkEnd? EndOf(KeyValueStatus status) =>
        status switch
        {
            KeyValueStatus.Full => new SinkEnd("the disks of the key-value store are full", IsInnocent: false),
            KeyValueStatus.TooLarge => new SinkEnd(
                "a pair is longer than the key-value store may have",
                IsInnocent: false
            ),
            KeyValueStatus.BadKey => new SinkEnd("a key is none of the key-value store", IsInnocent: false),
            _ => null,
        };
}
