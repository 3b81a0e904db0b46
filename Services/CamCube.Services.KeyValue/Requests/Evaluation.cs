using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What a change comes to, by all that is in the log of its key's group, visible or not.</summary>
internal static class Evaluation
{
    /// <summary>The group of a request's key.</summary>
    public static GroupId GroupOf(in Request request, TorusShape shape) =>
        GroupId.Of(request.Table, KeyRoute.Of(request.Table, request.Key), shape);

    /// <summary>Why a change is not made; null: it is.</summary>
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
        in Request request,
        UInt128 key,
        out ulong after
    )
    {
        ulong current = CurrentOf(host, member, work, key, out after);
        bool isNothing = request.Type == RequestType.Delete && current == 0;
        if (!request.Condition.Fits(current) || isNothing)
        {
            bool isAbsent = isNothing && request.Condition.Kind == KeyValueConditionKind.None;
            return new Outcome(isAbsent ? KeyValueStatus.NotFound : KeyValueStatus.Conflict, current);
        }

        bool isFull = request.Type == RequestType.Put && host.Log is { IsFull: true };
        return isFull ? new Outcome(KeyValueStatus.Full, 0) : null;
    }

    /// <summary>The version of a key; and the index of the change that says so, if it is not visible.</summary>
    public static ulong CurrentOf(MemberHost host, Member member, GroupWork work, UInt128 key, out ulong after)
    {
        if (work.Latest.TryGetValue(key, out after))
        {
            TailEntry latest = member.Tail[after];
            return latest.Operation!.Kind == OperationKind.Delete ? 0 : latest.Version;
        }

        return host.Index.TryGet(member.Id.Number, key, out IndexEntry entry) ? entry.Current : 0;
    }

    /// <summary>What is done for a change that is made.</summary>
    public static Operation OperationOf(in Request request) =>
        new(
            request.Type != RequestType.Put ? OperationKind.Delete
                : request.IsInPieces ? OperationKind.PutPieces
                : OperationKind.Put,
            request.Id,
            request.Closed,
            request.Key,
            request.Metadata,
            request.Value
        );
}
