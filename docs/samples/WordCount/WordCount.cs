using System.ComponentModel;
using System.Text;
using CamCube;
using CamCube.Messaging;
using CamCube.Trees;

namespace WordCountSample;

/// <summary>Each server has a text. Whoever asks gets how often each word is in all of them: counts are added up at
/// every server on the way, so no link carries a word twice.</summary>
[CamCubeService(0x700C, "word-count", Header = typeof(PlainHeader))]
public sealed class WordCount : CamCubeService, IServiceCommands, IPullHandler<MergeRequest>
{
    private const int MostChars = 60;
    private const StringSplitOptions Tidy = StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(1);
    private readonly IServer _server;
    private readonly PullEndpoint<PlainHeader, MergeRequest> _pulls;
    private List<(byte[] Word, long Count)> _words = [];
    private uint _questions;

    /// <summary>The service of a server.</summary>
    public WordCount(IServer server) =>
        (_server, _pulls) = (server, new PullEndpoint<PlainHeader, MergeRequest>(server, new PullOptions(), this));

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<NoArguments, CommandResult>("put", "Keeps a text here.", Put, takesBody: true),
            ServiceCommand.Of<TopArguments, CommandResult>("top", "The most frequent words of all texts.", TopAsync),
        ];

    /// <inheritdoc/>
    public override void OnStart() => _pulls.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _pulls.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _pulls.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _pulls.OnTopologyChanged(change);

    /// <inheritdoc/>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, MergeRequest request, out IPullSource? source)
    {
        source = null;
        if (vertex.Job >= (ulong)_server.Shape.Count || vertex.Tree != 0)
        {
            return PullRefusal.Malformed;
        }

        // Who stands in for a server that is away has not its text.
        Sum sum = SumFor(_server.Shape.At((int)vertex.Job), vertex.At == _server.Coordinate ? _words : []);
        source = MergingVertex<MergeRequest>.Begin(_pulls, sum, vertex, output, request.Position);
        return PullRefusal.None;
    }

    private ValueTask<CommandResult> Put(NoArguments arguments, CommandContext context)
    {
        string[] words = Encoding.UTF8.GetString(context.Body.Span).Split(default(char[]), Tidy);
        _words =
        [
            .. words
                .CountBy(static word => word[..Math.Min(word.Length, MostChars)])
                .Select(static one => (Encoding.UTF8.GetBytes(one.Key), (long)one.Value)),
        ];
        _words.Sort(static (a, b) => a.Word.AsSpan().SequenceCompareTo(b.Word));
        return new(CommandResult.Done);
    }

    private async ValueTask<CommandResult> TopAsync(TopArguments arguments, CommandContext context)
    {
        var job = (ulong)_server.Shape.RankOf(_server.Coordinate);
        Sum sum = SumFor(_server.Coordinate, _words);
        var reader = new Reader(sum);
        using var pull = _pulls.Pull(new VertexId(job, ++_questions, 0, 0, _server.Coordinate), default, reader);
        while (!reader.HasEnded && !context.Cancel.IsCancellationRequested && await _server.DelayAsync(Look)) { }

        return reader.IsWhole
            ? CommandResult.Of(reader.Words.OrderByDescending(static w => w.Count).Take(arguments.Most).ToArray())
            : CommandResult.Refused("Not all of it came.");
    }

    private Sum SumFor(Coordinate root, List<(byte[] Word, long Count)> own) =>
        new(TreePlan.Create(_server.Shape, root, TreeKind.One), own);

    private sealed record NoArguments;

    private sealed record TopArguments([Description("how many words")] int Most = 10);
}
