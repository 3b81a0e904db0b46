using System.Buffers;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache;

/// <summary>
/// .NET's distributed cache over the servers of a CamCube, or over memcached servers. Any thread may call anything;
/// callers share few connections. Made by <c>services.AddCamCubeCache(...)</c>. The methods without Async block the
/// calling thread until the servers answered. Failures: <see cref="CamCubeCacheException"/>, as the options say; a
/// cancelled operation may still happen.
/// </summary>
public sealed class CamCubeCache : IBufferDistributedCache, IAsyncDisposable, IDisposable
{
    private readonly CacheOperations _operations;

    internal CamCubeCache(CamCubeCacheOptions options, TimeProvider time, ILogger logger, IMeterFactory meters) =>
        _operations = new CacheOperations(options, time, logger, meters);

    /// <inheritdoc/>
    public byte[]? Get(string key) => Wait(GetAsync(key));

    /// <inheritdoc/>
    public async Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return (await _operations.ReadAsync(key, null, token).ConfigureAwait(false)).Value;
    }

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination) => Wait(TryGetAsync(key, destination).AsTask());

    /// <summary>Reads an entry.</summary>
    /// <param name="key">Of any length, with any characters.</param>
    /// <param name="destination">Gets the value in one go if it is found, nothing otherwise; never after this has
    /// ended, also not after a cancellation. It is written on a thread of the pool and must not block.</param>
    /// <param name="token">Ends the wait.</param>
    /// <returns>Whether the entry was found.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> TryGetAsync(
        string key,
        IBufferWriter<byte> destination,
        CancellationToken token = default
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(destination);
        return (await _operations.ReadAsync(key, destination, token).ConfigureAwait(false)).IsFound;
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions options) =>
        Wait(SetAsync(key, value, options));

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options) =>
        Wait(SetAsync(key, value, options).AsTask());

    /// <inheritdoc/>
    public Task SetAsync(
        string key,
        byte[] value,
        DistributedCacheEntryOptions options,
        CancellationToken token = default
    )
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), options, token).AsTask();
    }

    /// <summary>Stores an entry, in place of one that is there.</summary>
    /// <param name="key">Of any length, with any characters.</param>
    /// <param name="value">The value; read until this has ended, not longer.</param>
    /// <param name="options">When the entry ends; an end that has passed removes the entry. Of two absolute ends the
    /// earlier counts.</param>
    /// <param name="token">Ends the wait; the value may be stored all the same.</param>
    public ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        DistributedCacheEntryOptions options,
        CancellationToken token = default
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        return _operations.StoreAsync(key, value, options, token);
    }

    /// <inheritdoc/>
    public void Refresh(string key) => Wait(RefreshAsync(key));

    /// <summary>Moves the end of an entry with a sliding window on, as a read does, without fetching its value (only an
    /// entry that has an absolute end as well is fetched, for its header).</summary>
    /// <param name="key">Of any length, with any characters.</param>
    /// <param name="token">Ends the wait.</param>
    public Task RefreshAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return _operations.RefreshAsync(key, token).AsTask();
    }

    /// <inheritdoc/>
    public void Remove(string key) => Wait(RemoveAsync(key));

    /// <inheritdoc/>
    public Task RemoveAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return _operations.RemoveAsync(key, token).AsTask();
    }

    /// <summary>Ends all connections; operations under way fail as in an outage.</summary>
    public ValueTask DisposeAsync() => new(_operations.StopAsync());

    /// <inheritdoc cref="DisposeAsync"/>
    public void Dispose() => _operations.StopAsync().GetAwaiter().GetResult();

    private static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();

    private static void Wait(Task task) => task.GetAwaiter().GetResult();
}
