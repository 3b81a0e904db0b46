using System.Text;
using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace WordCountSample;

/// <summary>Takes the sums as they come.</summary>
internal sealed class Reader(Sum sum) : IPullSink<MergeRequest>
{
    private RecordReader<MergeRequest>? _records;

    public bool HasEnded => IsRefused || _records is { IsWhole: true } or { Wrong: not null };

    public bool IsRefused { get; private set; }

    public bool IsWhole => _records is { IsWhole: true, Wrong: null };

    public List<Row> Words { get; } = [];

    public MergeRequest From(PullInput<MergeRequest> input)
    {
        _records?.Restart();
        return new MergeRequest(_records?.Position ?? default);
    }

    public void OnReadable(PullInput<MergeRequest> input)
    {
        _records ??= new RecordReader<MergeRequest>(input, sum.MostRecord, combines: true);
        while (_records.TryPeek(out ReadOnlySpan<byte> word, out ReadOnlySpan<byte> count))
        {
            Words.Add(
                new(Encoding.UTF8.GetString(word), count.Length == sizeof(long) ? ReadInt64LittleEndian(count) : 0)
            );
            _records.Take(word, count);
        }
    }

    public bool OnRefused(PullInput<MergeRequest> input, PullRefusal why)
    {
        IsRefused = why is not (PullRefusal.Unknown or PullRefusal.NoRoom);
        return !IsRefused;
    }

    public sealed record Row(string Word, long Count);
}
