using CamCube.FrontEnds.Settings;

namespace CamCube.Memcached.Tests;

public sealed class MemcachedArgumentsTests
{
    [Fact]
    public void Without_arguments_it_has_memcacheds_defaults()
    {
        MemcachedSettings settings = MemcachedArguments.Parse([]);
        Assert.Equal(11_211, settings.Port);
        Assert.Equal(64, settings.Megabytes);
        Assert.Equal(1024, settings.MaxConnections);
        Assert.Equal(1 << 20, settings.MaxItem);
        Assert.Equal("700", settings.UnixMode);
        Assert.False(settings.Daemon);
    }

    [Fact]
    public void Letters_may_stand_together_and_values_may_stick_to_them()
    {
        MemcachedSettings settings = MemcachedArguments.Parse(["-vvAFp11999", "-m", "100", "-I2m", "-c", "10"]);
        Assert.Equal(2, settings.Verbosity);
        Assert.True(settings.AllowShutdown);
        Assert.True(settings.NoFlush);
        Assert.Equal(11_999, settings.Port);
        Assert.Equal(100, settings.Megabytes);
        Assert.Equal(2 << 20, settings.MaxItem);
        Assert.Equal(10, settings.MaxConnections);
    }

    [Fact]
    public void Long_names_take_values_with_and_without_an_equals_sign()
    {
        MemcachedSettings settings = MemcachedArguments.Parse([
            "--port=5",
            "--listen",
            "127.0.0.1,127.0.0.2:7",
            "--daemon",
            "--pidfile=/x",
        ]);
        Assert.Equal(5, settings.Port);
        Assert.Equal(["127.0.0.1", "127.0.0.2:7"], settings.Addresses);
        Assert.True(settings.Daemon);
        Assert.Equal("/x", settings.PidFile);
    }

    [Fact]
    public void A_Unix_socket_turns_TCP_off_unless_a_port_was_asked_for()
    {
        Assert.Equal(0, MemcachedArguments.Parse(["-s", "/tmp/x"]).Port);
        Assert.Equal(7, MemcachedArguments.Parse(["-s", "/tmp/x", "-p", "7"]).Port);
    }

    [Fact]
    public void Tuning_without_effect_is_accepted_and_remembered()
    {
        MemcachedSettings settings = MemcachedArguments.Parse([
            "-o",
            "relaxed_privileges,hashpower=20,idle_timeout=9",
            "-f",
            "1.1",
            "-W",
        ]);
        Assert.Equal(["-o relaxed_privileges", "-o hashpower=20", "-f", "-W"], settings.WithoutEffect);
        Assert.Equal(9, settings.IdleTimeout);
    }

    [Fact]
    public void TLS_has_memcacheds_options()
    {
        MemcachedSettings settings = MemcachedArguments.Parse([
            "-Z",
            "-o",
            "ssl_chain_cert=/c,ssl_key=/k,ssl_keyformat=1,ssl_verify_mode=2",
            "-o",
            "ssl_ca_cert=/a,ssl_ciphers=X:Y",
            "-o",
            "ssl_min_version=3,ssl_session_cache,ssl_wbuf_size=64,no_maxconns_fast",
        ]);
        Assert.True(settings.Tls);
        Assert.Equal(
            ("/c", "/k", "/a", "X:Y"),
            (settings.TlsCertificate, settings.TlsKey, settings.TlsAuthorities, settings.TlsCiphers)
        );
        Assert.Equal((TlsClientCheck.Required, TlsVersion.Tls13), (settings.TlsClients, settings.TlsMinVersion));
        Assert.Equal((true, 65_536, false), (settings.TlsResume, settings.TlsWriteBuffer, settings.RejectOverLimit));
        Assert.Empty(settings.WithoutEffect);
    }

    [Theory]
    [InlineData("-U 1", "-U 1 is not supported: there is no UDP protocol here, only -U 0.")]
    [InlineData("-o ext_path=/x:1G", "-o ext_path is not supported.")]
    [InlineData("-o proxy_config=/x", "-o proxy_config is not supported.")]
    [InlineData("-e /x", "-e is not supported: items are not kept in a file.")]
    [InlineData("-o ssl_kernel_tls", "-o ssl_kernel_tls is not supported.")]
    [InlineData("-o ssl_chain_cert", "Missing ssl_chain_cert argument")]
    [InlineData("-o ssl_key=", "Missing ssl_key argument")]
    [InlineData("-o ssl_verify_mode=x", "could not parse argument to ssl_verify_mode")]
    [InlineData("-o ssl_verify_mode=4", "Invalid ssl_verify_mode. Use help to see valid options.")]
    [InlineData("-o ssl_min_version=4", "Invalid ssl_min_version. Use help to see valid options.")]
    [InlineData("-o ssl_keyformat=2", "-o ssl_keyformat=2 is not supported: keys are PEM (1).")]
    [InlineData("-o ssl_wbuf_size=0", "ssl_wbuf_size is '0', allowed are numbers from 1 to 1024")]
    [InlineData("-B udp", "Invalid value for binding protocol: udp\n -- should be one of auto, binary, or ascii")]
    [InlineData("-c 0", "Maximum connections must be greater than 0")]
    [InlineData("-R 0", "Number of requests per event must be greater than 0")]
    [InlineData("-t 0", "Number of threads must be greater than 0")]
    [InlineData("-I 1023", "Item max size cannot be less than 1024 bytes.")]
    [InlineData("-I 65m", "Cannot set item size limit higher than 64m here.")]
    [InlineData("-p", "option requires an argument -- 'p'")]
    [InlineData("-p x", "-p is 'x', allowed are numbers from -1 to 65535")]
    [InlineData("-j", "Illegal argument \"j\"")]
    [InlineData("--nonsense", "unrecognized option '--nonsense'")]
    [InlineData("nonsense", "unexpected argument 'nonsense'")]
    public void What_cannot_be_followed_is_named(string line, string message) =>
        Assert.Equal(
            message,
            Assert.Throws<MemcachedException>(() => MemcachedArguments.Parse(line.Split(' '))).Message
        );

    [Fact]
    public void The_help_names_every_flag_that_has_an_effect_and_none_that_does_not_exist()
    {
        foreach (
            string flag in new[]
            {
                "-p,",
                "-s,",
                "-a,",
                "-A,",
                "-l,",
                "-d,",
                "-u,",
                "-m,",
                "-M,",
                "-c,",
                "-v,",
                "-t,",
                "-C,",
                "-I,",
                "-F,",
                "-P,",
                "-R,",
                "-X,",
                "-Y,",
                "-Z,",
                "notls:",
            }
        )
        {
            Assert.Contains(flag, MemcachedHelp.Text, StringComparison.Ordinal);
        }

        foreach (string feature in new[] { "extstore", "ext_path", "proxy", "sasl", "memory-file", "kernel_tls" })
        {
            Assert.DoesNotContain(feature, MemcachedHelp.Text, StringComparison.OrdinalIgnoreCase);
        }
    }
}
