using System.Buffers.Binary;
using System.Text;
using CamCube.Messaging;
using CamCube.Services.Collectives.Commands;
using CamCube.Services.Collectives.Groups;
using CamCube.Services.Collectives.Measuring;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives;

/// <summary>
/// Operations of many servers on vectors (NSDI §4): all trees of the cube at once, sums on the way to the root, results
/// on the way back. docs/collectives.md says what is promised. Loop only.
/// </summary>
[CamCubeService(0x0140, "collectives", Header = typeof(CollectivesHeader))]
public sealed class CollectivesService
    : MessageService<CollectivesHeader>,
        ICollectives,
        IServiceCommands,
        IPullHandler<EdgeRequest>
{
    // What a question may take; asked so often.
    private const int Attempts = 3;
    private static readonly TimeSpan AnswerTime = TimeSpan.FromMilliseconds(500);

    private readonly CollectivesOptions _options;
    private readonly PullEndpoint<CollectivesHeader, EdgeRequest> _pulls;
    private readonly GroupTerms _terms;
    private readonly Dictionary<ulong, Group> _groups = [];
    private readonly EndedGroups _ended;
    private readonly Measurements _measurements;
    private readonly CollectivesCommands _commands;
    private ulong _sessions;

    /// <summary>The collectives of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public CollectivesService(IServer server, CollectivesOptions options)
        : base(server, new MessageOptions())
    {
        _options = options;
        var pulls = new PullOptions
        {
            FirstRetry = options.Retry,
            Streams = new StreamOptions
            {
                SendMemory = options.SendMemory,
                ReceiveMemory = options.ReceiveMemory,
                SendLimit = options.Window,
                MostCredit = options.Window,
                FirstCredit = Math.Min(options.Window, new StreamOptions().FirstCredit),
            },
        };
        _pulls = new PullEndpoint<CollectivesHeader, EdgeRequest>(server, pulls, this);
        _terms = new GroupTerms(server, options, _pulls);
        _ended = new EndedGroups(options.Ended);
        _measurements = new Measurements(_terms, this, InviteAsync);
        _commands = new CollectivesCommands(server, this, GroupOf, _measurements, NextSession);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>A mistake that it makes, for tests.</summary>
    internal CollectivesMistake Mistake
    {
        set => _terms.Mistake = value;
    }

    /// <summary>What its groups have in common.</summary>
    internal GroupTerms Terms => _terms;

    /// <summary>Edges of all groups break off, for tests: what is under way on them is lost, as if its server had no
    /// memory for it.</summary>
    /// <param name="which">Asked for each.</param>
    internal void Break(Func<bool> which)
    {
        foreach (Group group in _groups.Values)
        {
            group.Break(which);
        }
    }

    /// <inheritdoc/>
    public GroupAnswer Open(GroupRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        Coordinate[] members =
            request.Members.Count > 0
                ? [.. request.Members]
                : [.. Enumerable.Range(0, Server.Shape.Count).Select(Server.Shape.At)];
        if (WrongOf(request, members) is { } wrong)
        {
            return wrong;
        }

        ulong id = IdOf(request.Name, members);
        if (_groups.Values.Any(group => group.Name == request.Name))
        {
            return new GroupAnswer(GroupStatus.BadName, null, $"a group {request.Name} is open here already");
        }

        var group = new Group(_terms, request, members, id, NextSession(), OnClosed);
        _groups.Add(id, group);
        group.Begin();
        return new GroupAnswer(GroupStatus.Opened, group, null);
    }

    /// <inheritdoc/>
    public IReadOnlyList<GroupState> List() =>
        [
            .. _groups
                .Values.Select(static group => group.State)
                .OrderBy(static group => group.Name, StringComparer.Ordinal),
        ];

    /// <summary>A group that is open here; null: there is none of the name.</summary>
    private Group? GroupOf(string name) => _groups.Values.FirstOrDefault(group => group.Name == name);

    /// <inheritdoc/>
    public override void OnStart()
    {
        base.OnStart();
        _pulls.Start();
        Server.Every(TimeSpan.FromSeconds(1), Sweep);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        foreach (Group group in _groups.Values.ToArray())
        {
            group.Close();
        }

        _pulls.Stop();
        base.OnStop(reason);
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        StreamEndpoint<CollectivesHeader>.IsOfStreams(packet)
            ? _pulls.OnPacket(hop, packet)
            : base.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        base.OnTopologyChanged(change);
        _pulls.OnTopologyChanged(change);
        foreach (Group group in _groups.Values)
        {
            group.OnTopologyChanged(change);
        }
    }

    PullRefusal IPullHandler<EdgeRequest>.OnPull(
        PullOutput output,
        in VertexId vertex,
        EdgeRequest request,
        out IPullSource? source
    )
    {
        source = null;

        // Who takes a lost member's part cannot have what that had.
        return vertex.At != Server.Coordinate ? PullRefusal.Unknown
            : _groups.TryGetValue(vertex.Job, out Group? group) ? group.OnPull(output, vertex, request, out source)
            : _ended.WordFor(vertex.Job, output.Consumer, request);
    }

    /// <inheritdoc/>
    protected override void OnMessage(in IncomingMessage<CollectivesHeader> message)
    {
        bool isKnown = message.Header.Kind == CollectivesKind.Measure && IsQuestion(message);
        if (!isKnown || MeasureTerms.TryRead(message.Content, Server.Shape) is not { } terms)
        {
            _terms.Counters.Malformed.Add();
            return;
        }

        Answer(message, message.Header, Encoding.UTF8.GetBytes(_measurements.Join(terms) ?? ""));
    }

    private async ValueTask<string?> InviteAsync(ReadOnlyMemory<byte> terms, Coordinate member)
    {
        var header = new CollectivesHeader { Kind = CollectivesKind.Measure };
        using Answer<CollectivesHeader> answer = await AskAsync(header, terms, member, AnswerTime, Attempts);
        return !answer.IsAnswered ? $"{member} does not answer, or does not run the collectives"
            : answer.Content.IsEmpty ? null
            : $"{member}: {Encoding.UTF8.GetString(answer.Content)}";
    }

    private static ulong IdOf(string name, Coordinate[] members)
    {
        byte[] bytes = new byte[(members.Length * sizeof(ulong)) + Encoding.UTF8.GetByteCount(name)];
        for (int rank = 0; rank < members.Length; rank++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(rank * sizeof(ulong)), members[rank].Packed);
        }

        Encoding.UTF8.GetBytes(name, bytes.AsSpan(members.Length * sizeof(ulong)));
        return Key.OfBytes(bytes).Middle;
    }

    private GroupAnswer? WrongOf(GroupRequest request, Coordinate[] members)
    {
        if (request.Name.Length is 0 or > GroupRequest.MostName)
        {
            string words = $"a name has 1 to {GroupRequest.MostName} characters";
            return new GroupAnswer(GroupStatus.BadName, null, words);
        }

        var seen = new HashSet<Coordinate>();
        foreach (Coordinate member in members)
        {
            if (!Server.Shape.Contains(member) || !seen.Add(member))
            {
                string why = Server.Shape.Contains(member) ? "is named twice" : $"is none of {Server.Shape}";
                return new GroupAnswer(GroupStatus.BadMember, null, $"{member} {why}");
            }
        }

        return !seen.Contains(Server.Coordinate)
                ? new(GroupStatus.BadMember, null, $"{Server.Coordinate}, where it is opened, is no member")
            : request.Weight is < 1 or > StreamParameters.MostWeight
                ? new(GroupStatus.Busy, null, $"a weight is from 1 to {StreamParameters.MostWeight}")
            : _groups.Count >= _options.Groups
                ? new(
                    GroupStatus.Busy,
                    null,
                    $"{_options.Groups} groups are open at {Server.Coordinate} (CamCube:Services:collectives:Groups)"
                )
            : null;
    }

    private void Sweep()
    {
        foreach (Group group in _groups.Values)
        {
            group.Sweep();
        }

        _measurements.Sweep();
    }

    private void OnClosed(Group group)
    {
        _groups.Remove(group.Id);
        _ended.Add(group);
    }

    // Never that of another server, of an earlier run, or of this service before it was started again; and never 0.
    private ulong NextSession()
    {
        Span<byte> name = stackalloc byte[4 * sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(name, Server.Incarnation);
        BinaryPrimitives.WriteUInt64LittleEndian(name[sizeof(ulong)..], Server.Coordinate.Packed);
        BinaryPrimitives.WriteInt64LittleEndian(name[(2 * sizeof(ulong))..], Server.NowNanos);
        BinaryPrimitives.WriteUInt64LittleEndian(name[(3 * sizeof(ulong))..], ++_sessions);
        ulong session = Key.OfBytes(name).Middle;
        return session == 0 ? 1 : session;
    }
}
