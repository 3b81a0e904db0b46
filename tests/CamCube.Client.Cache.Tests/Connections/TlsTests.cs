using System.Net;
using System.Net.Security;
using System.Reflection;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using CamCube.Client.Cache.Connections;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Services.Cache.Memcached.Tests.Tls;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

public sealed class TlsTests
{
    [Fact]
    public async Task A_server_whose_certificate_is_of_nobody_trusted_is_not_used_and_the_reason_is_told()
    {
        await using var cube = new TlsCubeBackend();
        await cube.InitializeAsync();
        using var others = new TestCertificates("another authority");
        CamCubeCacheException error = await FailAsync(cube.Addresses, others.ClientTerms());
        Assert.Equal(CacheFailure.NoServer, error.Failure);
        Assert.Contains("certificate", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_without_the_certificate_that_is_asked_for_is_not_served()
    {
        await using var cube = new TlsCubeBackend();
        await cube.InitializeAsync();
        SslClientAuthenticationOptions terms = TlsClient.For(cube.Tls!, new DnsEndPoint("unused", 1));
        terms.ClientCertificateContext = null;
        CamCubeCacheException error = await FailAsync(cube.Addresses, terms);
        Assert.Equal(CacheFailure.NoServer, error.Failure);
    }

    [Fact]
    public async Task The_name_in_the_certificate_must_be_the_servers()
    {
        await using var cube = new TlsCubeBackend();
        await cube.InitializeAsync();
        cube.Tls!.TargetHost = "";

        // Its certificate is for "server", and its address is not that.
        CamCubeCacheException error = await FailAsync(cube.Addresses, cube.Tls);
        Assert.Contains("127.0.0.1", error.Message, StringComparison.Ordinal);
        cube.Tls.TargetHost = "server";
        await using var fixture = Fixture(cube.Addresses, cube.Tls);
        Assert.Null(await fixture.Cache.GetStringAsync("a"));
    }

    [Fact]
    public async Task A_server_without_TLS_is_told_apart()
    {
        await using var cube = new CubeBackend();
        await cube.InitializeAsync();
        using var certificates = new TestCertificates();
        Assert.Equal(CacheFailure.NoServer, (await FailAsync(cube.Addresses, certificates.ClientTerms())).Failure);
    }

    [Fact]
    public void Terms_without_a_name_get_the_servers_and_keep_all_else()
    {
        var terms = new SslClientAuthenticationOptions();
        PropertyInfo[] properties = typeof(SslClientAuthenticationOptions).GetProperties();
        foreach (PropertyInfo property in properties.Where(one => one.PropertyType == typeof(bool)))
        {
            property.SetValue(terms, !(bool)property.GetValue(terms)!);
        }

        terms.CertificateRevocationCheckMode = X509RevocationMode.Online;
        terms.EnabledSslProtocols = SslProtocols.Tls13;
        terms.ApplicationProtocols = [];
        terms.ClientCertificates = [];
        terms.CertificateChainPolicy = new();
        terms.LocalCertificateSelectionCallback = (_, _, _, _, _) => null!;
        terms.RemoteCertificateValidationCallback = (_, _, _, _) => false;
        using var certificates = new TestCertificates();
        using X509Certificate2 own = certificates.Issue("client");
        terms.ClientCertificateContext = SslStreamCertificateContext.Create(own, null, offline: true);
        SslClientAuthenticationOptions copy = TlsClient.For(terms, new DnsEndPoint("cache.example", 11211));
        foreach (PropertyInfo property in properties.Where(one => one.Name != "TargetHost"))
        {
            Assert.True(Equals(property.GetValue(terms), property.GetValue(copy)), property.Name);
        }

        Assert.Equal("cache.example", copy.TargetHost);
        Assert.Same(copy, TlsClient.For(copy, new DnsEndPoint("other", 1)));
        Assert.Equal("::1", TlsClient.For(terms, new IPEndPoint(IPAddress.IPv6Loopback, 1)).TargetHost);
    }

    private static CacheFixture Fixture(string[] servers, SslClientAuthenticationOptions terms) =>
        new(
            new TestClock(),
            options =>
            {
                options.Servers = [.. servers];
                options.Tls = terms;
                (options.ConnectTimeout, options.AnswerTimeout) = (TimeSpan.FromHours(1), TimeSpan.FromHours(1));
            }
        );

    private static async Task<CamCubeCacheException> FailAsync(string[] servers, SslClientAuthenticationOptions terms)
    {
        await using var fixture = Fixture(servers, terms);
        return await Assert.ThrowsAsync<CamCubeCacheException>(() =>
            fixture.Cache.GetStringAsync("a").WaitAsync(TimeSpan.FromSeconds(60))
        );
    }
}
