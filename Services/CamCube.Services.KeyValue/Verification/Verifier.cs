using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Verification;

/// <summary>
/// Compares all copies of all keys, a part at a time: all members of a group are asked for the same versions. Nothing
/// is kept between two parts, and nothing is changed. Loop only.
/// </summary>
internal sealed class Verifier(
    IServer server,
    KeyValueOptions options,
    MessageChannel<KeyValueHeader> channel,
    CopySource source
)
{
    private const int Tries = 3;
    private const int Looks = 6;
    private const string Away = "away",
        Late = "catching up",
        Silent = "does not answer",
        Behind = "behind the others";
    private readonly ReplyTable<CopyPage> _questions = new(server);

    /// <summary>Whether somebody waits for what begins to arrive.</summary>
    public bool IsWanted(in KeyValueHeader header) =>
        header.Type == MessageType.CopyPage && _questions.IsOpen(header.Question);

    /// <summary>A member says what it has. False: it cannot be read.</summary>
    public bool OnPage(in KeyValueHeader header, ReadOnlySpan<byte> content)
    {
        CopyPage? page = CopyPage.Read(content);
        if (page is not null)
        {
            _questions.TryAdd(header.Question, page);
        }

        return page is not null;
    }

    /// <summary>Groups that are compared before this one, and all of them.</summary>
    public (int Done, int All) ProgressOf(GroupId group)
    {
        int tables = 0,
            before = 0,
            each = server.Shape.Count * Topology.ReplicaSequences.Count;
        for (int table = 0; table < GroupId.MostTables; table++)
        {
            tables += options.CopiesOf(table) > 0 ? 1 : 0;
            before += table < group.Table && options.CopiesOf(table) > 0 ? 1 : 0;
        }

        return ((before * each) + (group.Home * Topology.ReplicaSequences.Count) + group.Sequence, tables * each);
    }

    /// <summary>Compares a part.</summary>
    /// <param name="cursor">Where it goes on; null: at the beginning.</param>
    /// <returns>What came of it; null: there is no such place.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<VerifiedPart?> VerifyAsync(VerifyCursor? cursor)
    {
        VerifyCursor at = cursor ?? new VerifyCursor(GroupId.Of(0, 0, 0).Number, 0, 0, 0);
        var group = new GroupId(at.Group);
        if (!group.IsIn(server.Shape) || options.CopiesOf(group.Table) == 0)
        {
            return null;
        }

        if (at.Until == 0)
        {
            // What is changed from now on is not compared: it would have no end.
            at = at with
            {
                Until = ulong.MaxValue,
            };
        }

        List<(Coordinate Server, string Why)> skipped = [];
        long bytes = 0;
        if (at.Piece > 0)
        {
            return await VerifyPiecesAsync(at, skipped);
        }

        CopyComparison? comparison = null;
        for (int look = 0; look < Looks; look++)
        {
            skipped.Clear();
            List<(Coordinate Server, CopyPage Page)> pages = await AskAllAsync(at, skipped);
            bytes += pages.Sum(static p => p.Page.Bytes);
            if (pages.Count < 2)
            {
                return new VerifiedPart(group, After(group)) { Bytes = bytes, Skipped = skipped };
            }

            ulong latest = pages.Max(static p => p.Page.Latest);
            at = at with { Until = Math.Min(at.Until, Math.Max(latest, 1)) };
            comparison = CopyComparison.Of(pages, at.Until);
            if (
                comparison.Doubtful.Count == 0
                && comparison.Differences.TrueForAll(static d => d.Kind != CopyDifferenceKind.Unreadable)
            )
            {
                break;
            }

            // What cannot be read may be mended, or have been moved.
            await server.DelayAsync(options.Silence / 2 * (look + 1));
        }

        skipped.AddRange(comparison!.Doubtful.Select(static one => one.Server).Distinct().Select(s => (s, Behind)));
        List<(CopyDifference, byte[]?)> differences = [];
        foreach (CopyDifference one in comparison.Differences)
        {
            differences.Add((one, await FindKeyAsync(group, one.Version)));
        }

        VerifyCursor? next =
            comparison.InPieces > 0 ? at with { After = comparison.InPieces, Piece = 1 }
            : comparison.UpTo < at.Until ? at with { After = comparison.UpTo }
            : After(group);
        return new VerifiedPart(group, next)
        {
            Compared = comparison.Compared,
            Bytes = bytes,
            Differences = differences,
            Skipped = skipped,
        };
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<VerifiedPart> VerifyPiecesAsync(
        VerifyCursor at,
        List<(Coordinate Server, string Why)> skipped
    )
    {
        var group = new GroupId(at.Group);
        var ask = new CopyAsk(at.Group, 0, at.After, at.Piece - 1, false);
        long bytes = 0;
        uint next = 0;
        List<(CopyDifference, byte[]?)> differences = [];
        foreach (Coordinate member in await MembersOfAsync(group, skipped))
        {
            CopyPage? page = null;
            for (int look = 0; look < Looks && (page is null || IsUnread(page)); look++)
            {
                if (look > 0)
                {
                    await server.DelayAsync(options.Silence / 2 * look);
                }

                page = await AskAsync(member, ask);
                bytes += page?.Bytes ?? 0;
            }

            next = Math.Max(next, page?.NextPiece ?? 0);
            if (page is null)
            {
                skipped.Add((member, Silent));
            }
            else if (IsUnread(page))
            {
                // One piece is enough to say so.
                var difference = new CopyDifference(member, at.After, CopyDifferenceKind.Unreadable);
                differences.Add((difference, await FindKeyAsync(group, at.After)));
                next = 0;
                break;
            }
        }

        return new VerifiedPart(group, at with { Piece = next > 0 ? next + 1 : 0 })
        {
            Bytes = bytes,
            Differences = differences,
            Skipped = skipped,
        };

        static bool IsUnread(CopyPage page) => page.Rows.Exists(static row => row.State == CopyState.Unread);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<List<Coordinate>> MembersOfAsync(
        GroupId group,
        List<(Coordinate Server, string Why)> skipped
    )
    {
        // Nothing has such a version: it is asked who they are.
        List<(Coordinate Server, CopyPage Page)> pages = await AskAllAsync(new(group.Number, 0, 1, 0), skipped);
        return [.. pages.Select(static p => p.Server)];
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<List<(Coordinate Server, CopyPage Page)>> AskAllAsync(
        VerifyCursor at,
        List<(Coordinate Server, string Why)> skipped
    )
    {
        var group = new GroupId(at.Group);
        var ask = new CopyAsk(at.Group, at.After, at.Until, CopyAsk.NoPiece, false);
        Dictionary<Coordinate, CopyPage?> said = [];
        List<Coordinate> order = [.. group.Planned(server.Shape, options.CopiesOf(group.Table))];
        CopyPage? newest = null;
        for (int i = 0; i < order.Count; i++)
        {
            CopyPage? page = await AskAsync(order[i], ask);
            said[order[i]] = page;
            if (page?.Epoch is { } epoch && newest?.Epoch!.IsAfter(epoch) != true)
            {
                bool isNewer = newest is null || epoch.IsAfter(newest.Epoch) || page.Shown > newest.Shown;
                newest = isNewer ? page : newest;
            }

            if (newest?.Epoch is { } known && i == order.Count - 1)
            {
                order.AddRange(known.Members.ToArray().Select(static m => m.Server).Except(order));
            }
        }

        List<(Coordinate Server, CopyPage Page)> pages = [];
        for (int i = 0; i < (newest?.Epoch?.Members.Length ?? 0); i++)
        {
            Coordinate member = newest!.Epoch!.Members[i].Server;
            CopyPage? page = said[member];
            string? why =
                page is null ? Silent
                : newest.Marks.IsAway(i) ? Away
                : page.Part == CopyPart.Late || !newest.Marks.IsWhole(i) ? Late
                : page.Part == CopyPart.None || newest.Epoch.IsAfter(page.Epoch) ? Late
                : null;
            if (why is not null)
            {
                skipped.Add((member, why));
            }
            else
            {
                pages.Add((member, page!));
            }
        }

        if (newest is null)
        {
            skipped.AddRange(order.Select(one => (one, said[one] is null ? Silent : "has no such group")));
        }

        return pages;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<byte[]?> FindKeyAsync(GroupId group, ulong version)
    {
        var ask = new CopyAsk(group.Number, version - 1, version, CopyAsk.NoPiece, true);
        foreach (Coordinate one in group.Planned(server.Shape, options.CopiesOf(group.Table)))
        {
            if ((await AskAsync(one, ask))?.Rows is [{ Key: { } key }])
            {
                return key;
            }
        }

        return null;
    }

    // Null: it does not answer.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CopyPage?> AskAsync(Coordinate member, CopyAsk ask)
    {
        if (member == server.Coordinate)
        {
            return await source.PageAsync(ask);
        }

        if (!server.Topology.IsReachable(member) || !_questions.TryAsk(out Replies<CopyPage>? asked))
        {
            return null;
        }

        using Replies<CopyPage> question = asked;
        var content = new WireWriter();
        ask.Write(content);
        var header = new KeyValueHeader { Type = MessageType.CopyAsk, Question = question.Id };
        for (int i = 0; i < Tries && server.Topology.IsReachable(member); i++)
        {
            MessageTicket ticket = channel.Send(header, content.Written, default, member);
            WaitResult result = await question.WaitAsync(1, options.Silence * 5);
            channel.Cancel(ticket);
            if (result == WaitResult.Enough)
            {
                return question.Take(0);
            }

            if (result == WaitResult.Stopped)
            {
                return null;
            }
        }

        return null;
    }

    // Null: that was the last one.
    private VerifyCursor? After(GroupId group)
    {
        bool isLast = group.Sequence == Topology.ReplicaSequences.Count - 1;
        var next = GroupId.Of(group.Table, group.Home + (isLast ? 1 : 0), isLast ? 0 : group.Sequence + 1);
        for (int table = group.Table + 1; !next.IsIn(server.Shape) && table < GroupId.MostTables; table++)
        {
            next = options.CopiesOf(table) > 0 ? GroupId.Of(table, 0, 0) : next;
        }

        return next.IsIn(server.Shape) ? new VerifyCursor(next.Number, 0, 0, 0) : null;
    }
}
