using CamCube.Trees;

namespace CamCube.Swarm.Trees;

/// <summary>Who pulls a tree's root, and compares each record with what it has to be.</summary>
/// <param name="job">The job.</param>
/// <param name="vertex">The root of one of its trees.</param>
/// <param name="service">Where it is pulled from.</param>
/// <param name="perMilli">Records that it takes in a millisecond; 0: none, until all stands still.</param>
/// <param name="looked">Is told of each record, or end, whether it is right.</param>
internal sealed class TreeClient(
    TreeJob job,
    VertexId vertex,
    TreeTrafficService service,
    int perMilli,
    Action<bool, Func<string>> looked
) : IPullSink<MergeRequest>
{
    private RecordReader<MergeRequest>? _reader;
    private int _room;
    private int _taken;

    public TreeTrafficService Service => service;

    public PullInput<MergeRequest>? Pull { get; private set; }

    /// <summary>All has come, or it will not be asked for again.</summary>
    public bool HasEnded { get; private set; }

    public void Begin() => Pull = service.Pulls.Pull(vertex, job.Terms, this);

    /// <summary>A millisecond has passed.</summary>
    public void Step(bool isEager)
    {
        _room = isEager ? int.MaxValue : perMilli;
        Read();
    }

    public override string ToString() =>
        $"job {vertex.Job}, tree {vertex.Tree} of {job.Plan.Kind}, root {vertex.At}, at rank {service.Rank}: {_taken} "
        + $"of {job.ExpectedOf(vertex.Tree).Count} records, opened {Pull?.Openings} times";

    MergeRequest IPullSink<MergeRequest>.From(PullInput<MergeRequest> input)
    {
        _reader?.Restart();
        return new MergeRequest(_reader?.Position ?? default);
    }

    void IPullSink<MergeRequest>.OnReadable(PullInput<MergeRequest> input) => Read();

    bool IPullSink<MergeRequest>.OnRefused(PullInput<MergeRequest> input, PullRefusal why)
    {
        bool isLater = why is PullRefusal.Unknown or PullRefusal.NoRoom;
        HasEnded |= !isLater;
        looked(isLater, () => $"refused as {why} ({job.Failure}): {this}.");
        return isLater;
    }

    private void Read()
    {
        if (Pull is null || HasEnded)
        {
            return;
        }

        _reader ??= new RecordReader<MergeRequest>(Pull, job.MostRecord, job.Combines);
        List<TreeRecord> expected = job.ExpectedOf(vertex.Tree);
        while (_room > 0 && _reader.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            bool isRight =
                _taken < expected.Count
                && key.SequenceEqual(expected[_taken].Key)
                && value.SequenceEqual(expected[_taken].Value);
            looked(isRight, () => $"record {_taken} is not what it has to be: {this}.");
            _reader.Take(key, value);
            _taken++;
            _room--;
        }

        if (_reader.IsWhole)
        {
            HasEnded = true;
            looked(_taken == expected.Count, () => $"it ended too soon: {this}.");
        }
        else if (_reader.Wrong is { } wrong)
        {
            HasEnded = true;
            looked(false, () => $"{wrong}: {this}.");
        }
    }
}
