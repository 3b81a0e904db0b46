using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Salvage;

/// <summary>
/// Plans a recovery by hand with what all servers said of themselves. Every server is either asked or named: what is
/// neither could have more than who is asked. Changes nothing.
/// </summary>
internal sealed class RecoverPlanner
{
    private const int MostLeaving = 16;
    private readonly TorusShape _shape;
    private readonly KeyValueOptions _options;
    private readonly IReadOnlyDictionary<Coordinate, Survey> _surveys;
    private readonly HashSet<StoreId> _banned = [];
    private readonly HashSet<StoreId> _known = [];
    private readonly Dictionary<GroupId, List<(StoreId Store, SurveyRow Row)>> _rows = [];

    /// <param name="shape">The cube.</param>
    /// <param name="options">Settings.</param>
    /// <param name="surveys">What servers said; those that do not answer are not among them.</param>
    /// <param name="named">Servers whose stores are gone for good.</param>
    /// <param name="only">Of these, the ones that are meant; null: all that are not there.</param>
    public RecoverPlanner(
        TorusShape shape,
        KeyValueOptions options,
        IReadOnlyDictionary<Coordinate, Survey> surveys,
        IReadOnlySet<Coordinate> named,
        IReadOnlySet<string>? only
    )
    {
        (_shape, _options, _surveys) = (shape, options, surveys);
        foreach (Survey survey in surveys.Values)
        {
            _banned.UnionWith(survey.Banned);
        }

        foreach (Survey survey in surveys.Values.Where(s => !_banned.Contains(s.Store)))
        {
            Learn(survey);
        }

        // Who is there with a store has lost those that it had before.
        Lost =
        [
            .. _known
                .Where(store => named.Contains(store.Server) && !IsThere(store))
                .Where(store => only?.Contains(GroupText.Of(store)) != false)
                .OrderBy(static s => s.Server.Packed)
                .ThenBy(static s => s.Incarnation),
        ];
        Refusal = Refuse(named);
        _banned.UnionWith(Lost);
    }

    /// <summary>The stores that are named, and are not there.</summary>
    public StoreId[] Lost { get; }

    /// <summary>All that are given up then.</summary>
    public IEnumerable<StoreId> Banned => _banned;

    /// <summary>The stores that answered.</summary>
    public IEnumerable<StoreId> There => _surveys.Values.Select(static s => s.Store).Where(s => !_banned.Contains(s));

    /// <summary>Why nothing is done, in words; null: it can be.</summary>
    public string? Refusal { get; }

    /// <summary>Groups that had a lost store, and go on by themselves: a majority of theirs answers.</summary>
    public int Healthy { get; private set; }

    /// <summary>How each group goes on that cannot by itself.</summary>
    public List<GroupPlan> Plan()
    {
        List<GroupPlan> plans = [];
        foreach (GroupId group in TableCheck.Groups(_options, _shape))
        {
            // What is in memory begins anew by itself.
            if (!_options.ModeOf(group.Table).IsInMemory && PlanOf(group) is { } plan)
            {
                plans.Add(plan);
            }
        }

        return plans;
    }

    private void Learn(Survey survey)
    {
        _known.Add(survey.Store);
        _known.UnionWith(survey.Founders);
        foreach (SurveyRow row in survey.Rows)
        {
            if (!_rows.TryGetValue(row.Group, out List<(StoreId, SurveyRow)>? rows))
            {
                _rows[row.Group] = rows = [];
            }

            rows.Add((survey.Store, row));
            foreach (GroupEpoch? epoch in (GroupEpoch?[])[row.Epoch, row.Recovery?.Next])
            {
                _known.UnionWith(epoch is null ? [] : epoch.Members.ToArray());
                _known.UnionWith(epoch is null ? [] : epoch.Leaving.ToArray());
            }
        }
    }

    private bool IsThere(StoreId store) =>
        _surveys.TryGetValue(store.Server, out Survey? survey) && survey.Store == store && !_banned.Contains(store);

    private string? Refuse(IReadOnlySet<Coordinate> named)
    {
        foreach (Coordinate at in named.OrderBy(static n => n.Packed))
        {
            bool hasLost = Lost.Any(s => s.Server == at) || _banned.Any(s => s.Server == at);
            if (_surveys.TryGetValue(at, out Survey? survey) && !hasLost && !_banned.Contains(survey.Store))
            {
                return $"{at} is there with its store: it is not lost";
            }
        }

        Coordinate[] all = [.. Enumerable.Range(0, _shape.Count).Select(_shape.At)];
        Coordinate[] silent = [.. all.Where(at => !_surveys.ContainsKey(at) && !named.Contains(at) && !IsGivenUp(at))];
        if (silent.Length > 0)
        {
            string verb = silent.Length == 1 ? "does" : "do";
            return $"{string.Join(" ", silent)} {verb} not answer and may have more than "
                + "those that do: start what can be started, and name with --lost whose store is gone for good";
        }

        // A server that was not named may have a new disk, too.
        Coordinate[] replaced =
        [
            .. Concerned()
                .SelectMany(static e => e.Members.ToArray())
                .Where(s => !IsThere(s) && !Lost.Contains(s) && !_banned.Contains(s))
                .Select(static s => s.Server)
                .Distinct()
                .OrderBy(static s => s.Packed),
        ];
        Coordinate[] away = [.. replaced.Where(at => !_surveys.ContainsKey(at))];
        if (away.Length > 0)
        {
            // Named for the one that it had before.
            return $"{string.Join(" ", away)} had another store since, and nothing is heard from there: start it";
        }

        string has = replaced.Length == 1 ? "has another store than it" : "have other stores than they";
        return replaced.Length == 0
            ? null
            : $"{string.Join(" ", replaced)} {has} had: name with --lost whose store is gone for good";
    }

    // Its stores were given up before, all that are known.
    private bool IsGivenUp(Coordinate at) =>
        _banned.Any(s => s.Server == at) && _known.All(s => s.Server != at || _banned.Contains(s));

    // The latest epochs of groups of which no majority is there.
    private IEnumerable<GroupEpoch> Concerned() =>
        _rows
            .Keys.Select(group => (Group: group, Latest: LatestOf(group)))
            .Where(g => g.Latest is not null && LeftOf(g.Latest).Length < LeastOf(g.Group, g.Latest))
            .Select(static g => g.Latest!);

    private StoreId[] LeftOf(GroupEpoch epoch) => [.. epoch.Members.ToArray().Where(IsThere)];

    private GroupEpoch? LatestOf(GroupId group)
    {
        GroupEpoch? latest = null;
        foreach ((_, SurveyRow row) in _rows.GetValueOrDefault(group) ?? [])
        {
            latest = row.Epoch?.IsAfter(latest) == true ? row.Epoch : latest;
        }

        return latest;
    }

    // Of how many members a group needs the stores to go on by itself: of a majority once it is born, before that of
    // all, for who has another one since may have agreed.
    private int LeastOf(GroupId group, GroupEpoch latest) =>
        _rows[group].Exists(r => r.Row.Epoch?.Equals(latest) == true && !r.Row.IsBirth)
            ? latest.Majority
            : latest.Members.Length;

    private GroupPlan? PlanOf(GroupId group)
    {
        List<(StoreId Store, SurveyRow Row)> rows = _rows.GetValueOrDefault(group) ?? [];
        GroupEpoch? latest = LatestOf(group);
        GroupRecovery? begun = BegunAfter(rows, latest);
        if (begun is not null && !begun.Asked.ToArray().Any(_banned.Contains))
        {
            // It goes on as it was begun, whoever began it.
            return new GroupPlan(group, begun, LostOf(begun.Next), RowOf(rows, begun.Base));
        }

        // Of one that was begun and asked who is lost now: it may have been decided there.
        latest = begun?.Next ?? latest;
        if (latest is null)
        {
            return IsGone(group) ? Anew(group) : null;
        }

        StoreId[] left = LeftOf(latest);
        if (left.Length >= (begun is null ? LeastOf(group, latest) : latest.Majority))
        {
            Healthy += latest.Members.ToArray().Any(_banned.Contains) ? 1 : 0;
            return null;
        }

        (StoreId Store, SurveyRow Row)[] holders =
        [
            .. rows.Where(r => r.Row.HasData && IsThere(r.Store))
                .OrderByDescending(static r => r.Row.Ballot)
                .ThenByDescending(static r => r.Row.Index)
                .ThenByDescending(r => latest.PositionOf(r.Store) >= 0)
                .ThenBy(static r => r.Store.Server.Packed),
        ];
        IEnumerable<StoreId> agreed = rows.Where(r => r.Row.Recovery is not null && IsThere(r.Store))
            .Select(static r => r.Store);
        SurveyRow? row = holders.Length > 0 ? holders[0].Row : null;
        StoreId from = holders.Length > 0 ? holders[0].Store : FirstOf(group, left);
        StoreId[] members = MembersOf(group, from, left, latest.Members.Length);
        StoreId[] asked = [.. new[] { from }.Concat(left).Concat(members).Concat(agreed).Distinct()];
        if (asked.Length > GroupRecovery.MostAsked)
        {
            return null;
        }

        byte self = (byte)(1 << Array.IndexOf(members, from));
        byte all = (byte)((1 << members.Length) - 1);
        var next = new GroupEpoch(
            latest.Number + 1,
            members,
            new GroupMarks((byte)(all & ~self), self),
            [.. holders.Select(static h => h.Store).Where(s => !members.Contains(s)).Take(MostLeaving)],
            latest.Mode,
            latest.Generation + 1,
            [.. latest.Banned.ToArray().Union(latest.Members.ToArray().Where(s => !IsThere(s)))]
        );
        var recovery = new GroupRecovery(next, asked, from, row?.Index ?? 0, row?.Ballot ?? default);
        return new GroupPlan(group, recovery, LostOf(next), row);
    }

    private GroupRecovery? BegunAfter(List<(StoreId Store, SurveyRow Row)> rows, GroupEpoch? latest)
    {
        GroupRecovery? begun = null;
        foreach ((StoreId store, SurveyRow row) in rows)
        {
            bool isBetter =
                row.Recovery is { } found
                && IsThere(store)
                && found.Next.IsAfter(latest)
                && (begun is null || found.Next.Generation > begun.Next.Generation || found.GoesBefore(begun));
            begun = isBetter ? row.Recovery : begun;
        }

        return begun;
    }

    private StoreId[] LostOf(GroupEpoch next) => [.. next.Banned.ToArray().Where(Lost.Contains)];

    private static SurveyRow? RowOf(List<(StoreId Store, SurveyRow Row)> rows, StoreId store) =>
        rows.Find(r => r.Store == store && r.Row.HasData).Row;

    // All servers that should have it are without the stores they had, and nobody else knows it.
    private bool IsGone(GroupId group) =>
        group
            .Planned(_shape, _options.CopiesOf(group.Table))
            .All(at => Lost.Any(s => s.Server == at) || _banned.Any(s => s.Server == at));

    // Nobody has anything of it. No generation of it was as late as this one, for each cost a store.
    private GroupPlan? Anew(GroupId group)
    {
        StoreId from = FirstOf(group, []);
        StoreId[] members = MembersOf(group, from, [], _options.CopiesOf(group.Table));
        byte self = (byte)(1 << Array.IndexOf(members, from));
        byte all = (byte)((1 << members.Length) - 1);
        StoreId[] banned = [.. _banned.OrderBy(static s => s.Server.Packed).ThenBy(static s => s.Incarnation)];
        var next = new GroupEpoch(
            2,
            members,
            new GroupMarks((byte)(all & ~self), self),
            default,
            TableCheck.ModeOf(_options, group.Table),
            (uint)banned.Length,
            banned
        );
        return new GroupPlan(
            group,
            new GroupRecovery(next, [from, .. members.Where(m => m != from)], from, 0, default),
            Lost,
            null
        );
    }

    // The first server in the group's order that is there: always the same one, so there is one that decides.
    private StoreId FirstOf(GroupId group, StoreId[] left) => left.Length > 0 ? left[0] : InOrder(group).First();

    private IEnumerable<StoreId> InOrder(GroupId group) =>
        group
            .Planned(_shape, _shape.Count)
            .Where(_surveys.ContainsKey)
            .Select(at => _surveys[at].Store)
            .Where(s => !_banned.Contains(s));

    // The plan's order: the first one leads.
    private StoreId[] MembersOf(GroupId group, StoreId from, StoreId[] left, int least)
    {
        int copies = Math.Max(least, _options.CopiesOf(group.Table));
        HashSet<StoreId> members = [from, .. left];
        foreach (StoreId store in InOrder(group))
        {
            if (members.Count < Math.Min(copies, GroupEpoch.MostMembers))
            {
                members.Add(store);
            }
        }

        Coordinate[] order = group.Planned(_shape, _shape.Count);
        return [.. members.OrderBy(m => Array.IndexOf(order, m.Server))];
    }
}
