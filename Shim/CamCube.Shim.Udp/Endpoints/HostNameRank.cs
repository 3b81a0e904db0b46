using System.Globalization;

namespace CamCube.Shim.Udp.Endpoints;

/// <summary>The number at the end of a host name, as the pods of a Kubernetes StatefulSet have it: camcube-5 is the
/// server of rank 5.</summary>
internal static class HostNameRank
{
    /// <summary>Reads it from the first part of a name. False: there is none.</summary>
    public static bool TryParse(string hostName, out int rank)
    {
        ReadOnlySpan<char> first = hostName.AsSpan();
        int dot = first.IndexOf('.');
        first = dot < 0 ? first : first[..dot];
        int digits = first.Length - first.TrimEnd("0123456789").Length;
        return int.TryParse(first[^digits..], NumberStyles.None, CultureInfo.InvariantCulture, out rank);
    }
}
