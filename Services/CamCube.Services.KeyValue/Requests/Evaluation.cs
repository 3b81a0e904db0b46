using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What a change comes to, by all that is in the log of its key's group, visible or not.</summary>
internal static class Evaluation
{
    /// <summary>The group of a request's key.</summary>
    public static GroupId GroupOf(in RequestContent request, TorusShape shape) =>
        GroupId.Of(request.Table, KeyRoute.Of(request.Table, request.Key), shape);

    /// <summary>Why a change is not made, by the version that is there; null: that is no reason.</summary>
    /// <param name="host">The groups.</param>
    /// <param name="member">The key's group.</param>
    /// <param name="work">What is going on in it.</param>
    /// <param name="request">The change.</param>
    /// <param name="key">The key's name.</param>
    /// <param name="after">The index of what says so, if that is not visible.</param>
    public static Outcome? RefusalOf(
        MemberHost host,
        Member member,
        GroupWork work,
        in RequestContent request,
        UInt128 key,
        out ulong after
    )
    {
        ulong current = CurrentOf(host, member, work, key, out after);
        bool isNothing = request.Type.NeedsKey() && current == 0;
        if (!request.Condition.Fits(current) || isNothing)
        {
            bool isAbsent = isNothing && request.Condition.Kind == KeyValueConditionKind.None;
            return new Outcome(isAbsent ? KeyValueStatus.NotFound : KeyValueStatus.Conflict, current);
        }

        bool isFull = !request.Type.Deletes() && member.Store.Log is { IsFull: true };
        return isFull ? new Outcome(KeyValueStatus.Full, 0) : null;
    }

    /// <summary>The version of a key; and the index of the change that says so, if it is not visible.</summary>
    public static ulong CurrentOf(MemberHost host, Member member, GroupWork work, UInt128 key, out ulong after)
    {
        after = 0;
        if (work.Latest.TryGetValue(key, out (ulong Index, Operation Operation) latest))
        {
            after = latest.Index;
            return latest.Operation.IsDelete ? 0 : member.Tail[after].Version;
        }

        return host.Index.TryGet(member.Id.Number, key, out IndexEntry entry) ? entry.Current : 0;
    }

    /// <summary>The value of a key that has one, or none.</summary>
    /// <param name="host">The groups.</param>
    /// <param name="member">The key's group.</param>
    /// <param name="work">What is going on in it.</param>
    /// <param name="key">The key's name.</param>
    /// <param name="read">What was read of it from the disk.</param>
    /// <param name="found">The value; null: there is none.</param>
    /// <returns>False: it has to be read.</returns>
    public static bool TryFind(
        MemberHost host,
        Member member,
        GroupWork work,
        UInt128 key,
        FoundValue? read,
        out FoundValue? found
    )
    {
        found = null;
        ulong version = CurrentOf(host, member, work, key, out _);
        if (version == 0)
        {
            return true;
        }

        // What was changed lately is in memory.
        Operation? pending = work.Latest.TryGetValue(key, out (ulong, Operation Operation) latest)
            ? latest.Operation
            : null;
        host.Index.TryGet(member.Id.Number, key, out IndexEntry known);
        if ((pending ?? member.Tail.Find(version, known.Location)) is { } operation)
        {
            found = new FoundValue(version, operation.Metadata.ToArray(), operation.Value.ToArray())
            {
                IsInPieces = operation.Pieces is not null,
                Expires = RestOf(host, member, key, version) ?? operation.Expires,
                TimeOf = version,
                IsOver = IsOver(host, member, known, version, pending),
            };
            return true;
        }

        found =
            read?.Version == version
                ? read with
                {
                    Expires = RestOf(host, member, key, version) ?? 0,
                    TimeOf = version,
                    IsOver = IsOver(host, member, known, version, null),
                }
                : null;
        return found is not null;
    }

    // Of a change that is not visible yet it is if it goes on with the time of the one that is, perhaps by others.
    private static bool IsOver(MemberHost host, Member member, in IndexEntry known, ulong version, Operation? pending)
    {
        if (!host.Expiries.IsOver(known.DueNanos))
        {
            return false;
        }

        ulong at = version;
        for (Operation? change = pending; change is not null && at != known.Version; )
        {
            at = change.TimeOf;
            change = at == 0 ? null : member.Tail.Find(at, default);
        }

        return at == known.Version;
    }

    /// <summary>The old value that whoever asks for a change is told.</summary>
    public static ReadOnlyMemory<byte>? OldFor(RequestType type, FoundValue? found) =>
        type is not (RequestType.Exchange or RequestType.Take) ? null
        : found is null ? default(ReadOnlyMemory<byte>)
        : found.Value;

    /// <summary>What is done for a change that does not depend on a value.</summary>
    public static Operation OperationOf(in RequestContent request) =>
        Make(
            request,
            request.Type != RequestType.Put ? OperationKind.Delete
                : request.IsInPieces ? OperationKind.PutPieces
                : OperationKind.Put,
            request.Metadata,
            request.Value,
            request.Expires
        );

    /// <summary>What is done for a change that depends on a value; or why it is not made.</summary>
    /// <param name="request">The change.</param>
    /// <param name="found">The value; null: there is none.</param>
    /// <param name="most">Longest value.</param>
    /// <param name="operation">What is done; only with null.</param>
    public static Outcome? Work(in RequestContent request, FoundValue? found, int most, out Operation? operation)
    {
        if (found is { IsOver: true } && IsFree(request))
        {
            // Where a key is changed all the time, whoever would delete it comes too late for each version.
            found = null;
        }

        ReadOnlySpan<byte> old = found is null ? default : found.Value.Span,
            beside = found is null ? default : found.Metadata.Span;
        operation = null;
        if (found is { IsInPieces: true } && request.Type != RequestType.Add)
        {
            return Refused(KeyValueStatus.TooLarge, found);
        }

        switch (request.Type)
        {
            case RequestType.Add:
                return Add(request, found, beside, out operation);
            case RequestType.Take:
                operation = Make(request, OperationKind.Take, default, default, 0);
                return null;
            case RequestType.Expire:
                operation = Make(request, OperationKind.Put, beside, old, request.Expires);
                return null;
            case RequestType.Exchange:
                operation = Make(request, OperationKind.Exchange, request.Metadata, request.Value, request.Expires);
                return null;
            default:
                long from = request.Type == RequestType.Append ? old.Length : (long)request.Number;
                if (from < 0 || from > most - request.Value.Length || old.Length > most)
                {
                    return Refused(KeyValueStatus.TooLarge, found);
                }

                byte[] value = new byte[Math.Max(old.Length, (int)from + request.Value.Length)];
                old.CopyTo(value);
                request.Value.CopyTo(value.AsSpan((int)from));
                operation = Make(request, OperationKind.Put, beside, value, found?.Expires ?? 0, found);
                return null;
        }
    }

    private static Outcome? Add(
        in RequestContent request,
        FoundValue? found,
        ReadOnlySpan<byte> beside,
        out Operation? operation
    )
    {
        operation = null;
        long number = 0;
        if (found is not null && (found.IsInPieces || !DecimalNumber.TryRead(found.Value.Span, out number)))
        {
            return Refused(KeyValueStatus.NotANumber, found);
        }

        long by = (long)request.Number,
            sum = unchecked(number + by);
        if (((number ^ sum) & (by ^ sum)) < 0)
        {
            return Refused(KeyValueStatus.Overflow, found);
        }

        Span<byte> text = stackalloc byte[DecimalNumber.MostBytes];
        ReadOnlySpan<byte> value = text[..DecimalNumber.Write(sum, text)];
        operation = Make(request, OperationKind.Add, beside, value, found?.Expires ?? 0, found);
        return null;
    }

    // It makes a key where there is none, and asks for nothing that may have been said of the old one.
    private static bool IsFree(in RequestContent request) =>
        request.Condition.Kind == KeyValueConditionKind.None
        && request.Type is RequestType.Add or RequestType.Append or RequestType.SetRange;

    private static Outcome Refused(KeyValueStatus status, FoundValue? found) => new(status, found?.Version ?? 0);

    private static Operation Make(
        in RequestContent request,
        OperationKind kind,
        ReadOnlySpan<byte> metadata,
        ReadOnlySpan<byte> value,
        uint expires,
        FoundValue? timed = null
    ) =>
        new(kind, request.Id, request.Closed, request.Key, metadata, value)
        {
            Expires = expires,
            TimeOf = expires == 0 ? 0 : timed?.TimeOf ?? 0,
        };

    // How long a version is there yet; null: it is not visible yet.
    private static uint? RestOf(MemberHost host, Member member, UInt128 key, ulong version) =>
        host.Index.TryGet(member.Id.Number, key, out IndexEntry entry) && entry.Version == version
            ? host.Expiries.LifetimeTo(entry.DueNanos)
            : null;
}
