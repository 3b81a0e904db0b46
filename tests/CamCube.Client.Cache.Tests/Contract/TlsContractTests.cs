using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Contract;

public sealed class TlsContractTests(TlsCubeBackend backend) : CacheContract(backend), IClassFixture<TlsCubeBackend>;
