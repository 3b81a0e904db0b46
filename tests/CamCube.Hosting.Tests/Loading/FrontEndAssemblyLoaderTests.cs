using System.Reflection;
using System.Reflection.Emit;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Hosting.Tests.Loading;

/// <summary>Front ends in assemblies of their own.</summary>
public sealed class FrontEndAssemblyLoaderTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly Mistakes _mistakes = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_front_end_has_a_load_context_of_its_own_and_the_contract_of_its_service()
    {
        LoadedServices loaded = Load(("Services:echo:Enabled", "true"), ("FrontEnds:said:Assembly", "said"));

        Assert.Empty(_mistakes.Lines);
        Type said = Assert.Single(loaded.FrontEnds, type => type.Name == "SaidFrontEnd");
        Assembly contract = loaded
            .Services[0]
            .Plugin!.Types.First(t => t.Name == "EchoService")
            .GetInterface("IEcho")!
            .Assembly;
        Assert.Contains(contract.GetName().Name, said.Assembly.GetReferencedAssemblies().Select(name => name.Name));
        Assert.Same(
            contract,
            System
                .Runtime.Loader.AssemblyLoadContext.GetLoadContext(said.Assembly)!
                .LoadFromAssemblyName(contract.GetName())
        );
        Assert.Equal(2, loaded.Unload().Count);
    }

    [Theory]
    [InlineData("Services:echo:Enabled", "false")]
    [InlineData("FrontEnds:said:Enabled", "false")]
    public void One_that_is_not_enabled_or_whose_service_is_not_is_left_out_and_may_have_settings(
        string setting,
        string value
    )
    {
        LoadedServices loaded = Load(("FrontEnds:said:Assembly", "said"), (setting, value));

        Assert.Empty(_mistakes.Lines);
        Assert.DoesNotContain(loaded.FrontEnds, type => type.Name == "SaidFrontEnd");
        Assert.Contains("said", loaded.AbsentFrontEnds);
    }

    [Fact]
    public void One_whose_service_is_broken_is_left_out_because_that_mistake_is_enough()
    {
        LoadedServices loaded = Load(("Services:echo:Limit", "nix"), ("FrontEnds:said:Assembly", "said"));

        Assert.StartsWith("CamCube:Services:echo:Limit = 'nix'", Assert.Single(_mistakes.Lines));
        Assert.Contains("said", loaded.AbsentFrontEnds);
    }

    [Fact]
    public void An_assembly_with_a_service_is_loaded_once_and_its_front_ends_need_not_name_it()
    {
        LoadedServices loaded = Load(
            ("Services:echo:Enabled", "true"),
            ("FrontEnds:echo:Assembly", _folder.ServiceFolder("echo"))
        );

        Assert.Empty(_mistakes.Lines);
        Assert.Equal(2, loaded.FrontEnds.Count);
        Assert.Single(loaded.Unload());
    }

    [Theory]
    [InlineData(
        "lost",
        "said",
        "CamCube:FrontEnds:lost is for the service 'nobody', and there is no CamCube:Services:nobody; "
            + "add it, or set CamCube:FrontEnds:lost:Enabled to false."
    )]
    [InlineData(
        "orphan",
        "said",
        "CamCube.TestServices.FrontEnds.OrphanFrontEnd is in an assembly without a service: "
            + "[FrontEnd(\"orphan\", …, Service = \"…\")] has to name its service."
    )]
    [InlineData(
        "sad",
        "said",
        "CamCube:FrontEnds:sad:Assembly = 'said': {folder}/said/CamCube.TestServices.FrontEnds.dll has no front end "
            + "named 'sad'; it has lost, orphan, said."
    )]
    [InlineData("said", "sad", "CamCube:FrontEnds:said:Assembly = 'sad': there is no file or folder {folder}/sad.")]
    [InlineData(
        "said",
        "said/CamCube.TestServices.Contracts.dll",
        "CamCube:FrontEnds:said:Assembly = 'said/CamCube.TestServices.Contracts.dll': "
            + "{folder}/said/CamCube.TestServices.Contracts.dll has no front end named 'said'; it has none."
    )]
    [InlineData(
        "said",
        "text.dll",
        "CamCube:FrontEnds:said:Assembly = 'text.dll': {folder}/text.dll: this is not a .NET assembly."
    )]
    public void A_mistake_is_named_and_it_is_the_only_one(string name, string assembly, string message)
    {
        File.WriteAllText(_folder.FrontEndFolder("text.dll"), "not an assembly");

        LoadedServices loaded = Load(("Services:echo:Enabled", "true"), ($"FrontEnds:{name}:Assembly", assembly));

        Assert.Equal(
            [message.Replace("{folder}", _folder.FrontEndFolder(""), StringComparison.Ordinal).Replace("//", "/")],
            _mistakes.Lines
        );
        Assert.Contains(name, loaded.AbsentFrontEnds);
    }

    [Fact]
    public void One_that_names_types_of_its_services_assembly_is_refused_because_it_would_get_others()
    {
        string path = EmitFrontEnd("prying", "echo");

        LoadedServices loaded = Load(("Services:echo:Enabled", "true"), ("FrontEnds:prying:Assembly", "prying"));

        Assert.Equal(
            [
                $"{path} names types of CamCube.TestServices, which has the service 'echo', and would get a second set "
                    + "of them; only *.Contracts are shared.",
            ],
            _mistakes.Lines
        );
        Assert.DoesNotContain(loaded.FrontEnds, type => type.Name == "Prying");
    }

    private LoadedServices Load(params (string Name, string Value)[] settings)
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.ToDictionary(s => $"CamCube:{s.Name}", s => (string?)s.Value))
            .Build();
        if (!settings.Any(s => s.Name.StartsWith("Services:", StringComparison.Ordinal)))
        {
            configuration["CamCube:Services:echo:Enabled"] = "true";
        }

        SettingsBinder binder = new(_mistakes);
        OptionsReader reader = new(binder, _mistakes);
        ConstructorPlanner planner = new(NullLoggerFactory.Instance, binder, _mistakes);
        ContractContext contracts = new();
        var services = reader.ReadEntries<ServiceEntryOptions>(configuration.GetSection("CamCube:Services"));
        LoadedServices loaded = new ServiceLoader(
            Path.Combine(_folder.Path, "services"),
            contracts,
            planner,
            _mistakes
        ).Load(services);
        new FrontEndAssemblyLoader(Path.Combine(_folder.Path, "front-ends"), contracts, _mistakes).Load(
            reader.ReadEntries<FrontEndOptions>(configuration.GetSection("CamCube:FrontEnds")),
            services,
            loaded
        );
        return loaded;
    }

    /// <summary>Writes an assembly whose front end has a field of the service's class.</summary>
    private string EmitFrontEnd(string name, string service)
    {
        string path = Path.Combine(_folder.FrontEndFolder(name), "Prying.dll");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        Type echo = PluginAssembly
            .TryLoad(TestFolder.TestServices, new ContractContext(), out _)!
            .Types.First(type => type.Name == "EchoService");
        PersistedAssemblyBuilder assembly = new(new AssemblyName("Prying"), typeof(object).Assembly);
        TypeBuilder type = assembly.DefineDynamicModule("Prying").DefineType("Prying", TypeAttributes.Public);
        type.DefineField("Echo", echo, FieldAttributes.Public);
        type.SetCustomAttribute(
            new CustomAttributeBuilder(
                typeof(FrontEndAttribute).GetConstructors()[0],
                [name, 0],
                [typeof(FrontEndAttribute).GetProperty(nameof(FrontEndAttribute.Service))!],
                [service]
            )
        );
        type.CreateType();
        assembly.Save(path);
        return path;
    }
}
