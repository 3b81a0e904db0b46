using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What a batch comes to, by all that is in the log of its group, visible or not: first its conditions, all of
/// what is there before it, then its changes in their order, each by what those before it have made. Loop only.
/// </summary>
/// <param name="hasher">Names keys.</param>
/// <param name="mostWorked">Longest value that a change by what is there may make.</param>
/// <param name="mostBytes">Most bytes of keys, metadata and values that may come of it.</param>
internal sealed class BatchEvaluation(KeyHasher hasher, int mostWorked, int mostBytes)
{
    /// <summary>Works one out.</summary>
    /// <param name="host">The groups.</param>
    /// <param name="member">The group of its keys.</param>
    /// <param name="work">What is going on in it.</param>
    /// <param name="request">The batch.</param>
    /// <param name="read">What was read from the disk for it; null: nothing yet.</param>
    public WorkedChange Work(
        MemberHost host,
        Member member,
        GroupWork work,
        in RequestContent request,
        Dictionary<UInt128, FoundValue?>? read
    )
    {
        KeyValueStep[] steps = request.Steps!;
        var names = new UInt128[steps.Length];
        ulong last = 0;
        for (int i = 0; i < steps.Length; i++)
        {
            names[i] = hasher.Of(request.Table, steps[i].Key.Bytes.Span);
            ulong current = Evaluation.CurrentOf(host, member, work, names[i], out ulong after);
            last = Math.Max(last, after);
            if (!steps[i].Condition.Fits(current))
            {
                return Refusing(KeyValueStatus.Conflict, current, i, last);
            }
        }

        if (Array.TrueForAll(steps, static s => s.Kind == KeyValueStepKind.Check))
        {
            // There is nothing to write: it is answered as a read of all of them, at one moment.
            return Refusing(KeyValueStatus.Done, 0, 0, last);
        }

        bool isMore = Array.Exists(
            steps,
            static s => s.Kind is not (KeyValueStepKind.Check or KeyValueStepKind.Delete)
        );
        if (isMore && member.Store.Log is { IsFull: true })
        {
            return Refusing(KeyValueStatus.Full, 0, 0, last);
        }

        if (!TryFind(host, member, work, steps, names, read, out Dictionary<UInt128, FoundValue?> values))
        {
            return new WorkedChange { Lacks = [.. values.Keys] };
        }

        Dictionary<UInt128, Operation> made = [];
        long bytes = 0;
        for (int i = 0; i < steps.Length; i++)
        {
            if (steps[i].Kind == KeyValueStepKind.Check)
            {
                continue;
            }

            KeyValueStatus status = Make(request, steps[i], values.GetValueOrDefault(names[i]), out Operation? part);
            bytes += (part?.Length ?? 0) - (made.GetValueOrDefault(names[i])?.Length ?? 0);
            if (status != KeyValueStatus.Done || bytes > mostBytes)
            {
                ulong current = Evaluation.CurrentOf(host, member, work, names[i], out _);
                KeyValueStatus reason = status == KeyValueStatus.Done ? KeyValueStatus.TooLarge : status;
                return Refusing(reason, current, i, last);
            }

            made[names[i]] = part!;
            values[names[i]] = part!.IsDelete
                ? null
                : new FoundValue(0, part.Metadata.ToArray(), part.Value.ToArray())
                {
                    Expires = part.Expires,
                    TimeOf = part.TimeOf,
                };
        }

        // In the order of the keys, as they are named first.
        Operation[] parts = [.. names.Distinct().Where(made.ContainsKey).Select(name => made[name])];
        return new WorkedChange { Made = OperationParts.Join(parts) };
    }

    private static WorkedChange Refusing(KeyValueStatus status, ulong version, int step, ulong after) =>
        new()
        {
            Refused = new Outcome(status, version) { Number = step },
            After = after,
        };

    // The values that the changes depend on, by name. False: the names of those that have to be read.
    private static bool TryFind(
        MemberHost host,
        Member member,
        GroupWork work,
        KeyValueStep[] steps,
        UInt128[] names,
        Dictionary<UInt128, FoundValue?>? read,
        out Dictionary<UInt128, FoundValue?> values
    )
    {
        values = [];
        Dictionary<UInt128, FoundValue?> lacking = [];
        for (int i = 0; i < steps.Length; i++)
        {
            if (steps[i].Kind < KeyValueStepKind.Add || values.ContainsKey(names[i]))
            {
                continue;
            }

            FoundValue? known = read?.GetValueOrDefault(names[i]);
            if (Evaluation.TryFind(host, member, work, names[i], known, out FoundValue? found))
            {
                values[names[i]] = found;
            }
            else
            {
                lacking[names[i]] = null;
            }
        }

        values = lacking.Count > 0 ? lacking : values;
        return lacking.Count == 0;
    }

    // What one step makes of its key.
    private KeyValueStatus Make(in RequestContent batch, in KeyValueStep step, FoundValue? found, out Operation? made)
    {
        var request = new RequestContent
        {
            Type = TypeOf(step.Kind),
            Table = batch.Table,
            Id = batch.Id,
            Closed = batch.Closed,
            Number = (ulong)step.Number,
            Expires = Lifetime.Of(step.Expires),
            Key = step.Key.Bytes.Span,
            Metadata = step.Metadata.Span,
            Value = step.Value.Span,
        };
        made = null;
        if (step.Value.Length > mostWorked)
        {
            return KeyValueStatus.TooLarge;
        }

        if (!request.Type.DependsOnValue())
        {
            made = Evaluation.OperationOf(request);
            return KeyValueStatus.Done;
        }

        if (request.Type.NeedsKey() && found is null)
        {
            return KeyValueStatus.NotFound;
        }

        Outcome? refused = Evaluation.Work(request, found, mostWorked, out made);
        made = made is { Kind: OperationKind.Add } sum
            ? new Operation(OperationKind.Put, sum.Request, sum.Closed, sum.Key, sum.Metadata, sum.Value)
            {
                Expires = sum.Expires,
                TimeOf = sum.TimeOf,
            }
            : made;
        return refused?.Status ?? KeyValueStatus.Done;
    }

    private static RequestType TypeOf(KeyValueStepKind kind) =>
        kind switch
        {
            KeyValueStepKind.Put => RequestType.Put,
            KeyValueStepKind.Delete => RequestType.Delete,
            KeyValueStepKind.Add => RequestType.Add,
            KeyValueStepKind.Append => RequestType.Append,
            KeyValueStepKind.SetRange => RequestType.SetRange,
            _ => RequestType.Expire,
        };
}
