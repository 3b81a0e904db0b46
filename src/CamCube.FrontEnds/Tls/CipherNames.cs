using System.Net.Security;

namespace CamCube.FrontEnds.Tls;

/// <summary>Names of cipher suites, OpenSSL's or those of the standard. Pure.</summary>
internal static class CipherNames
{
    // OpenSSL leaves out what goes without saying, and no rule leads back. Suites without forward secrecy are not here.
    private static readonly Dictionary<string, TlsCipherSuite> OfOpenSsl = new(StringComparer.OrdinalIgnoreCase)
    {
        ["ECDHE-ECDSA-AES128-GCM-SHA256"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        ["ECDHE-ECDSA-AES256-GCM-SHA384"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        ["ECDHE-ECDSA-CHACHA20-POLY1305"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        ["ECDHE-ECDSA-AES128-CCM"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CCM,
        ["ECDHE-ECDSA-AES256-CCM"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_CCM,
        ["ECDHE-ECDSA-AES128-SHA256"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,
        ["ECDHE-ECDSA-AES256-SHA384"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384,
        ["ECDHE-ECDSA-AES128-SHA"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
        ["ECDHE-ECDSA-AES256-SHA"] = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
        ["ECDHE-RSA-AES128-GCM-SHA256"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        ["ECDHE-RSA-AES256-GCM-SHA384"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ["ECDHE-RSA-CHACHA20-POLY1305"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ["ECDHE-RSA-AES128-SHA256"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256,
        ["ECDHE-RSA-AES256-SHA384"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384,
        ["ECDHE-RSA-AES128-SHA"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA,
        ["ECDHE-RSA-AES256-SHA"] = TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,
        ["DHE-RSA-AES128-GCM-SHA256"] = TlsCipherSuite.TLS_DHE_RSA_WITH_AES_128_GCM_SHA256,
        ["DHE-RSA-AES256-GCM-SHA384"] = TlsCipherSuite.TLS_DHE_RSA_WITH_AES_256_GCM_SHA384,
        ["DHE-RSA-CHACHA20-POLY1305"] = TlsCipherSuite.TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    };

    private static readonly TlsCipherSuite[] OfTls13 =
    [
        TlsCipherSuite.TLS_AES_256_GCM_SHA384,
        TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256,
        TlsCipherSuite.TLS_AES_128_GCM_SHA256,
    ];

    /// <summary>The suites of a list with colons between its names, and behind them those of TLS 1.3.</summary>
    /// <exception cref="FrontEndException">One is not known.</exception>
    public static IReadOnlyList<TlsCipherSuite> Parse(string list)
    {
        var suites = new List<TlsCipherSuite>();
        foreach (string name in list.Split(':', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            bool isKnown =
                OfOpenSsl.TryGetValue(name, out TlsCipherSuite suite)
                || (
                    name.StartsWith("TLS_", StringComparison.OrdinalIgnoreCase)
                    && Enum.TryParse(name, ignoreCase: true, out suite)
                );
            suites.Add(
                isKnown
                    ? suite
                    : throw new FrontEndException(
                        $"'{name}' in TlsCiphers is no cipher suite that is known here; allowed are single names as in "
                            + "ECDHE-RSA-AES128-GCM-SHA256:TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, no groups and no !"
                    )
            );
        }

        return [.. suites.Union(OfTls13)];
    }
}
