using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Batches where they come from: looked at before anything is sent. Loop only.</summary>
internal sealed class BatchAsking(KeyValueOptions options, AskingSide asking)
{
    /// <summary>Does a batch.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueBatchAnswer> ApplyAsync(KeyValueBatch batch)
    {
        if (Look(batch) is { } wrong)
        {
            return wrong;
        }

        var steps = new WireWriter();
        BatchFormat.Write(steps, batch.Steps);
        var asked = new Asking
        {
            Type = RequestType.Batch,
            Key = batch.Steps[0].Key with { Bytes = batch.Steps[0].Key.Bytes.ToArray() },
            Value = steps.Written.ToArray(),
        };
        KeyValueAnswer answer = await asking.AskAsync(asked);
        bool isStep =
            answer.Status
            is KeyValueStatus.Conflict
                or KeyValueStatus.NotFound
                or KeyValueStatus.TooLarge
                or KeyValueStatus.NotANumber
                or KeyValueStatus.Overflow;
        int failed = isStep ? (int)answer.Length : -1;
        return new KeyValueBatchAnswer(answer.Status, answer.Version, failed, answer.Copies, answer.Hops);
    }

    // Why it is not sent; null: nothing is wrong.
    private KeyValueBatchAnswer? Look(KeyValueBatch batch)
    {
        long bytes = 0;
        ulong route = 0;
        for (int i = 0; i < batch.Steps.Count; i++)
        {
            KeyValueStep step = batch.Steps[i];
            int length = step.Key.Bytes.Length;
            if (length > KeyValueKey.MostBytes)
            {
                return new KeyValueBatchAnswer(KeyValueStatus.TooLarge, 0, i);
            }

            if (length == 0 || step.Key.Table is < 0 or >= GroupId.MostTables)
            {
                return new KeyValueBatchAnswer(KeyValueStatus.BadKey, 0, i);
            }

            ulong own = KeyRoute.Of(step.Key.Table, step.Key.Bytes.Span).Route;
            route = i == 0 ? own : route;
            if (own != route || step.Key.Table != batch.Steps[0].Key.Table)
            {
                return new KeyValueBatchAnswer(KeyValueStatus.CrossGroup, 0, i);
            }

            bytes += length + step.Metadata.Length + step.Value.Length;
            int mostValue = Math.Min(options.MaxValueLength, KeyValueChange.MostBytes);
            if (
                i >= options.BatchSteps
                || bytes > options.BatchBytes
                || step.Value.Length > mostValue
                || step.Metadata.Length > OperationFormat.MostMetadata
            )
            {
                return new KeyValueBatchAnswer(KeyValueStatus.TooLarge, 0, i);
            }
        }

        return batch.Steps.Count > 0 ? null : new KeyValueBatchAnswer(KeyValueStatus.BadKey);
    }
}
