using CamCube.Services.Cache.Memcached.Tests.Tls;
using CamCube.Services.KeyValue.Redis.Settings;
using StackExchange.Redis;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Clients over TLS, and those who speak it where it is not spoken, or do not where it is.</summary>
public sealed class TlsTests
{
    [Fact]
    public async Task Over_tls_all_is_as_without()
    {
        using var certificates = new TestCertificates();
        await using RedisBed bed = await RedisBed.StartAsync(
            options: new RedisFrontEndOptions
            {
                Tls = true,
                TlsCertificate = certificates.CertificateFile,
                TlsKey = certificates.KeyFile,
            }
        );
        var terms = new ConfigurationOptions
        {
            EndPoints = { { "127.0.0.1", bed.FrontEnds[0].Port } },
            Ssl = true,
            ConnectTimeout = 30_000,
            AsyncTimeout = 60_000,
        };
        terms.CertificateValidation += static (_, _, _, _) => true;
        await using (ConnectionMultiplexer client = await ConnectionMultiplexer.ConnectAsync(terms))
        {
            string value = new('v', 200_000);
            Assert.True(await client.GetDatabase().StringSetAsync("k", value));
            Assert.Equal(value, await client.GetDatabase().StringGetAsync("k"));
        }

        using RedisClient plain = await bed.ConnectAsync();
        await plain.SendAsync("PING\r\n");
        Assert.DoesNotContain("PONG", await plain.ReadAsync());
    }
}
