using System.Runtime.CompilerServices;
using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>
/// A service of which one instance asks all others, whose values become one on the way back: a server sends one value,
/// however many are behind it (SIGCOMM §3, aggregation). Derive from it, say what a server's own value is
/// (<see cref="Own"/>) and how two become one (<see cref="Combine"/>), ask by <see cref="AggregateAsync"/>. Each server
/// counts once or, if it is lost meanwhile, once or not at all: a value is taken whole or not, and only from one that
/// plays its vertex. Its header is <see cref="PlainHeader"/>. Overrides of the callbacks call their base. Loop only.
/// </summary>
/// <typeparam name="TQuestion">What is asked: numbers and structs of them, the same on all servers, at most
/// <see cref="PullOptions.MostRequestBytes"/> bytes.</typeparam>
/// <typeparam name="TValue">A value: likewise, at most <see cref="MostValueBytes"/> bytes.</typeparam>
public abstract class AggregationService<TQuestion, TValue>
    : CamCubeService,
        IPullHandler<AggregationRequest<TQuestion>>
    where TQuestion : unmanaged
    where TValue : unmanaged
{
    /// <summary>Bytes of the largest value.</summary>
    public const int MostValueBytes = 4_096;

    private readonly PullEndpoint<PlainHeader, AggregationRequest<TQuestion>> _pulls;
    private readonly ReplyTable<Aggregate<TValue>> _questions;
    private uint _number;

    /// <summary>The service on one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Limits of memory, and how soon a server that does not answer is asked again; null: the
    /// defaults.</param>
    /// <exception cref="ArgumentOutOfRangeException">A question or a value is too long.</exception>
    protected AggregationService(IServer server, PullOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Unsafe.SizeOf<TValue>(), MostValueBytes);
        Server = server;
        _pulls = new PullEndpoint<PlainHeader, AggregationRequest<TQuestion>>(
            server,
            options ?? new PullOptions(),
            this
        );
        _questions = new ReplyTable<Aggregate<TValue>>(server);
    }

    /// <summary>The service's server.</summary>
    protected IServer Server { get; }

    /// <summary>Questions of this server that are open now.</summary>
    public int OpenQuestions => _questions.Open;

    /// <inheritdoc/>
    public override void OnStart() => _pulls.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _pulls.Stop();

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _pulls.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _pulls.OnTopologyChanged(change);

    /// <summary>The value of this server, when all behind it in the tree have answered. A server that is asked again
    /// gives it again, so it changes nothing.</summary>
    /// <param name="question">What is asked.</param>
    protected abstract TValue Own(in TQuestion question);

    /// <summary>Makes one value of two; associative. A server's own comes first, then those of its children in the
    /// order of their links: the order never hangs on which came first.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="left">Of some servers.</param>
    /// <param name="right">Of others.</param>
    protected abstract TValue Combine(in TQuestion question, in TValue left, in TValue right);

    /// <summary>
    /// Asks all servers that can be reached, this one included. Any number of questions at once. A server whose part is
    /// lost is passed by; one that runs but does not answer, as its instance is being started again, is waited for.
    /// </summary>
    /// <param name="question">What is asked.</param>
    /// <param name="timeout">How long to wait; behind a server that is lost, most of it is
    /// <c>Liveness:DetectionTime</c>.</param>
    /// <param name="cancel">Ends, on the loop, when nobody wants to know any more.</param>
    /// <returns>The value and how many servers are in it.</returns>
    protected async ValueTask<Aggregate<TValue>> AggregateAsync(
        TQuestion question,
        TimeSpan timeout,
        CancellationToken cancel = default
    )
    {
        if (!_questions.TryAsk(out Replies<Aggregate<TValue>>? asked))
        {
            return new Aggregate<TValue>(WaitResult.TimedOut, default, 0);
        }

        using Replies<Aggregate<TValue>> answer = asked;
        ulong id = answer.Id;
        var root = new VertexId((ulong)Server.Shape.RankOf(Server.Coordinate), ++_number, 0, 0, Server.Coordinate);
        using var part = new AggregationPart<TQuestion, TValue>(
            question,
            (value, servers) => _questions.TryAdd(id, new Aggregate<TValue>(WaitResult.Enough, value, servers))
        );
        part.Pull(_pulls, root, edge: null);
        WaitResult result = await answer.WaitAsync(1, timeout, cancel);
        return result == WaitResult.Enough ? answer[0] : new Aggregate<TValue>(result, default, 0);
    }

    /// <inheritdoc/>
    PullRefusal IPullHandler<AggregationRequest<TQuestion>>.OnPull(
        PullOutput output,
        in VertexId vertex,
        AggregationRequest<TQuestion> request,
        out IPullSource? source
    )
    {
        source = null;
        if (vertex.Job >= (ulong)Server.Shape.Count || vertex.Part != 0 || vertex.Tree != 0)
        {
            return PullRefusal.Malformed;
        }

        TreePlan plan = TreePlan.Create(Server.Shape, Server.Shape.At((int)vertex.Job), TreeKind.Even);
        var made = new AggregationVertex<TQuestion, TValue>(this, vertex, request.Question, output);
        made.Begin(_pulls, plan);
        source = made;
        return PullRefusal.None;
    }

    internal bool IsAt(Coordinate place) => Server.Coordinate == place;

    internal TValue OwnOf(in TQuestion question) => Own(question);

    internal TValue CombineOf(in TQuestion question, in TValue left, in TValue right) => Combine(question, left, right);
}
