using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache;

/// <summary>How many extra keys the items have whose client keys begin so.</summary>
/// <param name="Prefix">First bytes of the client's key.</param>
/// <param name="Replicas">Extra keys.</param>
internal sealed record ReplicaRule(byte[] Prefix, int Replicas)
{
    /// <summary>Reads <c>prefix=k</c>; the prefix may have any characters, also colons and equal signs.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out ReplicaRule? rule)
    {
        int equals = text.LastIndexOf('=');
        rule = null;
        if (
            equals <= 0
            || !int.TryParse(text.AsSpan(equals + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int replicas)
            || replicas > CacheOptions.MostReplicas
        )
        {
            return false;
        }

        rule = new ReplicaRule(Encoding.UTF8.GetBytes(text[..equals]), replicas);
        return rule.Prefix.Length <= CacheOptions.MaxKeyLength;
    }
}
