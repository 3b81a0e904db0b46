using CamCube.Loads.Choosing;
using CamCube.Loads.Etcd;
using CamCube.Loads.Operations;

namespace CamCube.Loads.Targets;

/// <summary>A server of etcd.</summary>
/// <param name="root">Where it is.</param>
/// <param name="names">Keys and values.</param>
internal sealed class EtcdSession(Uri root, RecordNames names) : ILoadSession
{
    private readonly EtcdClient _client = new(root);

    /// <inheritdoc/>
    public async Task<string?> AskAsync(LoadOperation operation, CancellationToken cancel)
    {
        byte[] key = names.KeyOf(operation.Number, operation.IsCounter);
        try
        {
            if (operation.Kind is OperationKind.Get or OperationKind.ReadModifyWrite)
            {
                byte[]? value = await _client.GetAsync(key, cancel).ConfigureAwait(false);
                if (value is null || !names.IsValueOf(operation.Number, value))
                {
                    return value is null ? "notFound" : "wrong";
                }
            }

            if (operation.Kind == OperationKind.Delete)
            {
                await _client.DeleteAsync(key, cancel).ConfigureAwait(false);
            }
            else if (operation.Kind != OperationKind.Get)
            {
                byte[] value = new byte[names.ValueLength];
                names.WriteValue(operation.Number, operation.Turn, value);
                await _client.PutAsync(key, value, cancel).ConfigureAwait(false);
            }

            return null;
        }
        catch (EtcdException e)
        {
            return "grpc" + e.Code;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();
}
