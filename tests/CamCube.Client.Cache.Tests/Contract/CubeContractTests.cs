using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Contract;

public sealed class CubeContractTests(CubeBackend backend) : CacheContract(backend), IClassFixture<CubeBackend>;
