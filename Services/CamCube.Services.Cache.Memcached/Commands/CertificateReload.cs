using System.Text;
using CamCube.FrontEnds.Tls;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>memcached's <c>refresh_certs</c>.</summary>
internal static class CertificateReload
{
    /// <summary>Reads the certificates again, on a pool thread, with the answer as the slot's text.</summary>
    public static async ValueTask<CacheReply> RunAsync(TlsServer tls, CommandSlot slot)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        string answer = "OK\r\n";
        try
        {
            tls.Reload();
        }
        catch (FrontEndException error)
        {
            answer = $"Error {error.Message}\r\n";
        }

        Encoding.UTF8.GetBytes(answer, slot.Value);
        return default;
    }
}
