using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Backing;

/// <summary>Which clients' keys the key-value store keeps, and where in the cube they are: where the store has them.
/// Loop only.</summary>
internal sealed class BackedKeys
{
    private readonly TorusShape _shape;
    private readonly byte[][] _prefixes;
    private readonly byte[] _lastKey = new byte[CacheOptions.MaxKeyLength];
    private int _lastLength;
    private Key _last;

    /// <param name="options">Settings, valid.</param>
    /// <param name="shape">Of the cube.</param>
    public BackedKeys(CacheOptions options, TorusShape shape)
    {
        (_shape, Table) = (shape, options.BackedTable);
        _prefixes = [.. options.Backed.Select(Encoding.UTF8.GetBytes)];
    }

    /// <summary>The table of the store that has them.</summary>
    public int Table { get; }

    /// <summary>Whether there may be any.</summary>
    public bool HasAny => _prefixes.Length > 0;

    /// <summary>Whether a key is one.</summary>
    public bool Has(ReadOnlySpan<byte> clientKey)
    {
        foreach (byte[] prefix in _prefixes)
        {
            if (clientKey.StartsWith(prefix))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The cube's key of one: the store's object id, so that both have the same root. The only server of a
    /// cube need not know it.</summary>
    public Key MemIdOf(ReadOnlySpan<byte> clientKey)
    {
        if (_shape.Count == 1)
        {
            return default;
        }

        if (_lastLength == 0 || !clientKey.SequenceEqual(_lastKey.AsSpan(0, _lastLength)))
        {
            _last = KeyValueKey.ToKey(Table, clientKey);
            clientKey.CopyTo(_lastKey);
            _lastLength = clientKey.Length;
        }

        return _last;
    }
}
