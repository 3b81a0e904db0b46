using System.Text;

namespace CamCube.Trees.Tests;

/// <summary>Who has a tree's answer: records as they come, at a pace.</summary>
public sealed class TallySink(TallyJob job) : IPullSink<MergeRequest>
{
    private RecordReader<MergeRequest>? _reader;

    public List<(string Key, string Value)> Records { get; } = [];

    public List<PullRefusal> Refusals { get; } = [];

    public PullInput<MergeRequest>? Pull { get; set; }

    /// <summary>Records that it takes before it takes no more; for as long as nobody says otherwise.</summary>
    public int Takes { get; set; } = int.MaxValue;

    /// <summary>Takes so many more.</summary>
    public void Take(int more)
    {
        Takes += more;
        OnReadable(Pull!);
    }

    public bool IsWhole => _reader is { IsWhole: true };

    public MergeRequest From(PullInput<MergeRequest> input)
    {
        _reader?.Restart();
        return new(_reader?.Position ?? default);
    }

    public void OnReadable(PullInput<MergeRequest> input)
    {
        _reader ??= new RecordReader<MergeRequest>(input, job.MostRecord, job.Combines);
        while (Records.Count < Takes && _reader.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            Records.Add((Encoding.UTF8.GetString(key), Encoding.UTF8.GetString(value)));
            _reader.Take(key, value);
        }

        Assert.Null(_reader.Wrong);
    }

    public bool OnRefused(PullInput<MergeRequest> input, PullRefusal why)
    {
        Refusals.Add(why);
        return why is PullRefusal.Unknown or PullRefusal.NoRoom;
    }
}
